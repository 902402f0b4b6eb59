# Findings of a device memory profile: one device that holds more than the others, and more than there is room for.
. "$srcdir/tests/cli/lib.sh"
failed=0
has() {
	grep -q -- "$2" "$1" || { echo "no \"$2\" in:"; cat "$1"; failed=1; }
}
lacks() {
	! grep -q -- "$2" "$1" || { echo "\"$2\" in:"; cat "$1"; failed=1; }
}
varint() { # N, as octal escapes
	n=$1
	while [ "$n" -ge 128 ]; do
		printf '\\%03o' $((n % 128 + 128))
		n=$((n / 128))
	done
	printf '\\%03o' "$n"
}
bytes() { # FIELD ESCAPES: a field of bytes
	printf '\\%03o' $(($1 * 8 + 2))
	varint "$(printf "$2" | wc -c)"
	printf '%s' "$2"
}
number() { # FIELD N
	printf '\\%03o' $(($1 * 8))
	varint "$2"
}
sample() { # LOCATION MIB DEVICE: strings 5 and 6 are "kind" and "buffer", 7 is "device"
	bytes 2 "$(bytes 1 "$(varint "$1")")$(bytes 2 "\\001$(varint $(($2 * 1048576)))")$(bytes 3 "$(number 1 5)$(number 2 6)")$(bytes 3 "$(number 1 7)$(number 2 "$3")")"
}
sizeless() { # LOCATION: an allocation whose size is not known
	bytes 2 "$(bytes 1 "$(varint "$1")")$(bytes 2 '\001\377\377\377\377\377\377\377\377\377\001')"
}
profile() { # MIB of state on each of four devices, MIB of a table on the first, or "unknown"
	{
		bytes 1 "$(number 1 1)$(number 2 2)"
		bytes 1 "$(number 1 3)$(number 2 4)"
		for device in 8 9 10 11; do
			sample 1 "$1" $device
		done
		case $2 in
		0) ;;
		unknown) sizeless 2 ;;
		*) sample 2 "$2" 8 ;;
		esac
		for id in 1 2; do
			bytes 4 "$(number 1 $id)$(bytes 4 "$(number 1 $id)$(number 2 7)")"
			bytes 5 "$(number 1 $id)$(number 2 $((11 + id)))$(number 4 14)"
		done
		for text in '' allocations count space bytes kind buffer device TPU_0 TPU_1 TPU_2 TPU_3 init load_table model.py; do
			bytes 6 "$text"
		done
	} >escapes
	printf "$(cat escapes)"
}
profile 1000 1000 >uneven.prof
"$tpuscope" report memory_profile uneven.prof --format csv --table devices >out
has out '^TPU_0,buffer,2,2097152000,'
has out '^TPU_3,buffer,1,1048576000,'
"$tpuscope" report findings uneven.prof --format csv >out
has out '^arrays_uneven,medium,.*TPU_0 holds 2.0 GiB, the median of 4 devices is 1000.0 MiB; 1000.0 MiB of it .* the first in load_table'
has out '"\{0,1\}memory_profile'
lacks out '^arrays_full'
"$tpuscope" report findings uneven.prof >out
has out 'set it with --device'
"$tpuscope" snapshot findings uneven.prof --size 80x24 >out
has out 'One device holds more arrays'

profile 1000 0 >even.prof # nothing is wrong: the view says where to look
"$tpuscope" snapshot findings even.prof --size 80x24 >out
has out 'No findings: .* See Memory profile.'

profile 13000 0 >full.prof
"$tpuscope" report findings full.prof --device v5e --format csv >out
has out '^arrays_full,medium,.*TPU_[0-3] holds 12.7 GiB of arrays, 80.6 % of its 15.8 GiB'
lacks out '^arrays_uneven'
"$tpuscope" report findings full.prof --device v4 >out
has out 'Arrays  *12.7 GiB of 3'

profile 1000 unknown >executable.prof # an unknown size is not 0
"$tpuscope" snapshot memory_profile executable.prof --size 120x40 --keys G >out
has out '^    *–  *–  *1  *load_table'
has out 'bytes  *–'
lacks out '0 B'
lacks out ' 0.0'
exit $failed
