#!/usr/bin/env python3
"""Prints utf8_ranges.h from the Unicode data that come with Python."""
import unicodedata

FIRST, END = 0xA0, 0x110000


def unsafe(c):
    """Has no cell of its own: unassigned, surrogate, format control, mark that joins its neighbour, separator of lines."""
    return (unicodedata.category(chr(c)) in ("Cn", "Cs", "Cf", "Mn", "Me", "Zl", "Zp")
            or 0x1160 <= c <= 0x11FF or 0xD7B0 <= c <= 0xD7FF       # Hangul vowels and finals join the syllable
            or c in (0x115F, 0x3164, 0xFFA0)                        # Hangul fillers, invisible
            or 0x3248 <= c <= 0x324F or 0x4DC0 <= c <= 0x4DFF       # terminals disagree on their width
            or 0x1F1E6 <= c <= 0x1F1FF or 0x1F3FB <= c <= 0x1F3FF)  # letters of flags, skin tones: join too


def wide(c):
    return unicodedata.east_asian_width(chr(c)) in "WF"


def ranges(of, filler=lambda c: False):
    """Ranges of the code points for which of() holds; those of filler() may lie inside."""
    found = []
    for c in range(FIRST, END):
        if of(c):
            if found and all(filler(x) for x in range(found[-1][1] + 1, c)):
                found[-1][1] = c
            else:
                found.append([c, c])
    return found


def print_table(name, table):
    print(f"\nstatic const struct utf8_range {name}[] = {{")
    cells = [f"{{0x{a:x},0x{b:x}}}," for a, b in table]
    line = "\t"
    for cell in cells:
        if len(line) + len(cell) > 100:
            print(line.rstrip())
            line = "\t"
        line += cell + " "
    print(line.rstrip())
    print("};")


print(f"/* Made by utf8_ranges.py from Unicode {unicodedata.unidata_version}.  What is unsafe (the rules are in the script) is shown as")
print(" * U+2426, so it may lie inside the ranges of wide characters.  Sorted, from U+00A0 on. */")
print("#ifndef BASE_UTF8_RANGES_H\n#define BASE_UTF8_RANGES_H\n\n#include <stdint.h>\n")
print("struct utf8_range { uint32_t first, last; };")
print_table("utf8_unsafe", ranges(unsafe))
print_table("utf8_wide", ranges(lambda c: wide(c) and not unsafe(c), unsafe))
print("\n#endif")
