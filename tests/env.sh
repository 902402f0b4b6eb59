# Sourced before every test: the same environment for all, whoever runs them.  A test that needs a terminal sets TERM, LINES and COLUMNS itself.
for name in $(env | sed -n 's/^\(XDG_[A-Z_]*\|TPUSCOPE[A-Z_]*\|LC_[A-Z]*\|TMUX[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
unset LANG LANGUAGE LINES COLUMNS NO_COLOR COLORTERM ESCDELAY MAKEFLAGS MFLAGS
LC_ALL=C.UTF-8
TZ=UTC
TERM=dumb
CMOCKA_MESSAGE_OUTPUT=TAP
HOME=$top_builddir/tests/scratch/home
mkdir -p "$HOME"
export top_srcdir top_builddir LC_ALL TZ TERM CMOCKA_MESSAGE_OUTPUT HOME SHELL AWK
