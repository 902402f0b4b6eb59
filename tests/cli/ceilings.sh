# Nothing that a file says makes time or memory grow faster than the file, whatever key is pressed.  Here: what did so once; CEILINGS=all tries
# every kind of file that tests/lib/hostile.py can write.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
kinds='planes cores threads module_clocks device_tracks step_tracks on_and_off stats_of_event same_member groups_of_host own_steps ooms tf_same_name tf_scopes tf_graphs damaged_chunks far_more usage_spaces hlo_computations gpu_kernels gpu_steps torch_same_launch same_block long_runs archive_members gpu_devices gpu_programs op_symbols one_called_below stops threads_of_steps'
grep -q "^#define ENABLE_SANITIZE" "$top_builddir/config.h" && export CEILINGS_MEMORY=any
python3 "$srcdir/tests/lib/ceilings.py" "$tpuscope" ${CEILINGS:-$kinds}
