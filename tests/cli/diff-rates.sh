# How often tpuscope diff is wrong: captures whose steps take random times, with and without a difference, depending on one another
# and on the run. Verdict and interval are those of a second way to count, and false verdicts are as rare as tpuscope(7), DIFF says.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
python3 -B - "$tpuscope" "$srcdir/tests/lib" <<'END'
import functools, json, math, random, statistics, subprocess, sys
program = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from mkspace import Space

def steps_of(rng, n, level, vary, depend, shift):
    """ps of n steps around 1 ms: of a run whose level differs, each step depending on the one before"""
    run = 1e9 * (1 + shift / 100) * (1 + level / 100 * rng.gauss(0, 1))
    at, out = rng.gauss(0, 1), []
    for _ in range(n):
        out.append(round(run * (1 + vary / 100 * at)))
        at = depend * at + math.sqrt(1 - depend * depend) * rng.gauss(0, 1)
    return out

def write(path, steps):
    space, at = Space(), 0
    plane = space.plane("/device:TPU:0", device_type_string="TPU v5 Lite")
    lines = [plane.line(name) for name in ("Steps", "XLA Modules", "XLA Ops")]
    for i, ps in enumerate(steps):
        for line, name in zip(lines, (str(i), "jit_f(1)", "fusion.1")):
            line.event(name, at / 1e6, ps / 1e6, meta=dict(hlo_category="loop fusion", program_id=1))
        at += ps + 1000000
    space.write(path)

@functools.lru_cache(None)
def orders(m, n, u):
    """of m and n values, in how many orders are exactly u pairs the wrong way around"""
    if u < 0 or u > m * n:
        return 0
    return int(not u) if not m or not n else orders(m - 1, n, u - n) + orders(m, n - 1, u)

def between_steps(base, new):
    products = squares = 0
    for v in base + new:
        rank = [sum(y < x for y in v) + (sum(y == x for y in v) - len(v)) / 2 for x in v]
        products += sum(x * y for x, y in zip(rank, rank[1:]))
        squares += sum(x * x for x in rank)
    rho = min(0.95, max(0, products / squares)) if squares else 0
    a, b = [x for v in base for x in v], [x for v in new for x in v]
    m, n = (math.floor(len(v) * (1 - rho) / (1 + rho) + 1e-9) for v in (a, b))
    c = 0
    while m and n and 40 * sum(orders(m, n, u) for u in range(c + 1)) <= math.comb(m + n, n):
        c += 1
    if not c:
        return None
    shifts = sorted(y - x for x in a for y in b)
    cut = max(1, c * len(shifts) // (m * n))
    return shifts[cut - 1], shifts[-cut]

T = {3: 3.182446, 6: 2.446912, 7: 2.364624} # Student, 97.5 %

def between_runs(base, new):
    a, b = ([statistics.median(v) for v in side] for side in (base, new))
    free = len(a) + len(b) - 2
    spread = math.sqrt((sum((x - statistics.mean(a)) ** 2 for x in a) + sum((x - statistics.mean(b)) ** 2 for x in b)) / free)
    half, delta = T[free] * spread * math.sqrt(1 / len(a) + 1 / len(b)), statistics.mean(b) - statistics.mean(a)
    return delta - half, delta + half

def judged(base, new):
    runs = len(base) + len(new) >= 5
    margin, value = 1 if runs else 2, statistics.mean(statistics.median(v) for v in base)
    found = (between_runs if runs else between_steps)(base, new)
    if not found:
        return "inconclusive", None, None
    low, high = (100 * x / value for x in found)
    return "same" if -margin <= low and high <= margin else "slower" if low >= margin else "faster" if high <= -margin else "inconclusive", low, high

failed = compared = 0
#   captures  steps  level vary depend shift   false verdicts of 100, right ones of 100
for base, new, n, level, vary, depend, shift, most, least in (
    (1, 1, 6, 0.5, 0.5, 0, 0, 5, 0), (1, 1, 12, 0, 2, 0.5, 0, 5, 0), (1, 1, 20, 0, 2, 0.8, 0, 15, 0), (1, 1, 4, 0.5, 1, 0, 0, 5, 0),
    (4, 1, 8, 1, 0.5, 0.3, 0, 10, 0), (4, 4, 8, 1, 0.5, 0.3, 0, 10, 0), (1, 1, 12, 0.5, 0.5, 0, 5, 0, 90), (8, 1, 8, 0.5, 0.5, 0, -5, 0, 90)):
    rng, trials, counts = random.Random("%s" % ((base, new, n, level, vary, depend, shift),)), 20, dict.fromkeys(("slower", "faster", "same", "inconclusive"), 0)
    for _ in range(trials):
        sides = [[steps_of(rng, n, level, vary, depend, s) for _ in range(k)] for k, s in ((base, 0), (new, shift))]
        paths = [["%s%d.xplane.pb" % (side, i) for i in range(len(v))] for side, v in zip("ab", sides)]
        for names, v in zip(paths, sides):
            for name, steps in zip(names, v):
                write(name, steps)
        told = json.loads(subprocess.run([program, "diff", *(",".join(p) for p in paths), "-f", "json"], capture_output=True, text=True).stdout)["summary"]
        want = judged(*sides)
        got = told["verdict"], told["ci_low_percent"], told["ci_high_percent"]
        compared += 1
        counts[got[0]] += 1
        if got[0] != want[0] or any((x is None) != (y is None) or (x is not None and abs(x - y) > 1e-3) for x, y in zip(got[1:], want[1:])):
            print("%s: %s, not %s" % (sides, got, want))
            failed = 1
    right, wrong = ("slower", "faster") if shift > 0 else ("faster", "slower")
    false = counts[wrong] + (0 if shift else counts[right])
    if false * 100 > most * trials or (shift and counts[right] * 100 < least * trials):
        print("%d + %d captures of %d steps, run to run %g, cv %g, dependent %g, shift %g: %s" % (base, new, n, level, vary, depend, shift, counts))
        failed = 1
print("%d pairs compared" % compared)
sys.exit(failed)
END
