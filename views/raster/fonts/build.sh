#!/bin/sh
# Builds regular.otf and bold.otf: Noto Sans CJK SC, reduced to the characters
# of the messages that pictures are lettered from, and to printable ASCII. Run it when a
# test says that a character is missing. It needs the Debian packages
# fonts-noto-cjk and fonttools; the fonts are under the licence in OFL.txt.
set -eu
cd "$(dirname "$0")"
messages=../../locale/messages
noto=/usr/share/fonts/opentype/noto

characters=$(mktemp)
trap 'rm -f "$characters"' EXIT
cat "$messages"/terms.*.json "$messages"/stage.*.json "$messages"/learn.*.json "$messages"/ask.*.json "$messages"/break.*.json "$messages"/sweep.*.json >"$characters" 2>/dev/null || true
# ASCII, and what numbers, units and formulas are written with
printf '%s' ' !"#$%&'"'"'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz{|}~ ×−–…·→←≈≤≥µαβ⌈⌉₂√²' >>"$characters"

for weight in Regular Bold; do
	out=$(echo "$weight" | tr RB rb).otf
	pyftsubset "$noto/NotoSansCJK-$weight.ttc" --font-number=2 --text-file="$characters" \
		--output-file="$out" --layout-features= --no-hinting --notdef-outline \
		--name-IDs=0,1,2,13,14 --name-languages=0x409 --drop-tables+=vhea,vmtx,VORG,BASE
done
ls -l regular.otf bold.otf
