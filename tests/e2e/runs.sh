#!/bin/sh
# A job whose hosts wrote two run folders: the viewer offers to open both, and one key does it.
. "$top_srcdir/tests/e2e/lib.sh"
corpus=$top_srcdir/tests/fuzz/corpus/xspace
mkdir -p job/plugins/profile/2026_05_06_04_47_36 job/plugins/profile/2026_05_06_04_47_38 job/plugins/profile/2026_05_07_01_00_00
rm -rf job/plugins/profile/2026_05_01_00_00_00
cp "$corpus/two-cores.pb" job/plugins/profile/2026_05_06_04_47_36/a.xplane.pb
cp "$corpus/host-only.pb" job/plugins/profile/2026_05_06_04_47_38/b.xplane.pb
cp "$corpus/two-cores.pb" job/plugins/profile/2026_05_07_01_00_00/c.xplane.pb

start 120 30
run 'clear; tpuscope --no-state --view files --run 2026_05_06_04_47_36 job'
wait_for '1 more run seems to belong to the same job; J opens all together'
shows '1 file ' || fail 'only one run should be open'
keys j
wait_for 'J  *opens them together with'
shows 'J opens the whole job' || fail 'the status line should offer it'
keys J
wait_for '2 runs are open together; J opens one alone'
wait_for 'run 2026_05_06_04_47_36 and 1 more .* 2 files '
keys F5
wait_for '2 files '
keys J
wait_for '1 file '
keys R
wait_for '2026_05_06_04_47_38 .*same job'
keys j
wait_for 'run 2026_05_06_04_47_36 and 1 more .* 2 files '
keys R				# a run of the menu is opened alone, though runs were joined
wait_for '2026_05_07_01_00_00 '
keys g Enter
wait_for 'run 2026_05_07_01_00_00 (1 of 3) .* 1 file '
keys J
wait_for 'no other runs seem to belong to this job'
keys R				# the run before belongs to the history
wait_for '2026_05_06_04_47_36 '
keys G Enter
wait_for 'run 2026_05_06_04_47_36 (3 of 3) '
keys q
wait_for 'run 2026_05_07_01_00_00 (1 of 3) '
keys q
wait_for 'shell>'
ends_with 0

# A run that cannot be read: the one before stays, and is the one that is read again.
mkdir job/plugins/profile/2026_05_01_00_00_00
echo no capture >job/plugins/profile/2026_05_01_00_00_00/d.xplane.pb
run 'clear; tpuscope --no-state --view files --run 2026_05_06_04_47_38 job'
wait_for 'run 2026_05_06_04_47_38 (2 of 4) '
keys R
wait_for '2026_05_01_00_00_00 '
keys G Up Enter
wait_for 'reload failed: d.xplane.pb'
wait_for 'run 2026_05_06_04_47_38 (2 of 4) '
keys F5
wait_gone 'reload failed'
wait_for 'run 2026_05_06_04_47_38 (2 of 4) '
shows 'reload failed' && fail 'what is on the screen should be read again'
keys Q
wait_for 'shell>'
ends_with 0
