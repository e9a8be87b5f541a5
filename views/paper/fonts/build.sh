#!/bin/sh
# Builds text.ttf: Noto Sans CJK SC, reduced to printable Latin, the Chinese
# characters of GB 2312 and of the messages, and the signs that figures and formulas are
# written with, its outlines as quadratic curves, which PDF programs embed.
# It needs the Debian packages fonts-noto-cjk and fonttools; the font is under
# the licence in OFL.txt.
set -eu
cd "$(dirname "$0")"
subset=$(mktemp --suffix=.otf)
characters=$(mktemp)
trap 'rm -f "$subset" "$characters"' EXIT

/usr/bin/python3 - "$characters" ../../locale/messages <<'PYTHON'
import glob, sys
kept = set()
for row in range(0xA1, 0xF8):
    for cell in range(0xA1, 0xFF):
        try:
            c = bytes([row, cell]).decode("gb2312")
        except UnicodeDecodeError:
            continue
        # Kana, Greek beyond what formulas use, Cyrillic, Bopomofo and frames are no text of reports.
        if not ("\u3040" <= c <= "\u312f" or "\u0400" <= c <= "\u04ff" or "\u2500" <= c <= "\u257f"):
            kept.add(c)
kept |= {chr(c) for c in range(0x20, 0x7F)} | {chr(c) for c in range(0xA0, 0x180)}
kept |= set("×÷−–—…·•→←↔≈≠≤≥µαβπΣ⌈⌉⌊⌋₀₁₂₃₄²³√□✓“”‘’€￥¥™®°")
for name in glob.glob(sys.argv[2] + "/*.json"):
    kept |= {c for c in open(name, encoding="utf-8").read() if c >= " "}
open(sys.argv[1], "w", encoding="utf-8").write("".join(sorted(kept)))
PYTHON

pyftsubset /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc --font-number=2 --text-file="$characters" \
	--output-file="$subset" --layout-features= --no-hinting --notdef-outline --desubroutinize \
	--name-IDs=0,1,2,13,14 --name-languages=0x409 --drop-tables+=vhea,vmtx,VORG,BASE

/usr/bin/python3 - "$subset" text.ttf <<'PYTHON'
import sys
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

font = TTFont(sys.argv[1])
order, shapes = font.getGlyphOrder(), font.getGlyphSet()
glyphs = {}
for name in order:
    pen = TTGlyphPen(shapes)
    shapes[name].draw(Cu2QuPen(pen, 2.0, reverse_direction=True))  # of 1,000 units an em
    glyphs[name] = pen.glyph()
font["loca"] = newTable("loca")
font["glyf"] = glyf = newTable("glyf")
glyf.glyphOrder, glyf.glyphs = order, glyphs
for name, glyph in glyphs.items():
    glyph.recalcBounds(glyf)
    width, _ = font["hmtx"][name]
    font["hmtx"][name] = (width, getattr(glyph, "xMin", 0))
del font["CFF "]
most = font["maxp"]
most.tableVersion = 0x00010000
for field in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements", "maxSizeOfInstructions"):
    setattr(most, field, 0)
most.maxZones = 1
font["post"].formatType = 3.0
font["head"].glyphDataFormat = 0
font.sfntVersion = "\000\001\000\000"
font.save(sys.argv[2])
PYTHON
ls -l text.ttf
