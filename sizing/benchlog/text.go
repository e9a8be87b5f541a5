package benchlog

import (
	"bytes"
	endian "encoding/binary"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain is a log as UTF-8 without a byte order mark. Windows' shells redirect in
// UTF-16, with a mark or without; everything else is left as it is.
func Plain(text []byte) []byte {
	switch {
	case bytes.HasPrefix(text, []byte{0xEF, 0xBB, 0xBF}):
		return text[3:]
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		return fromUTF16(text[2:], endian.LittleEndian)
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return fromUTF16(text[2:], endian.BigEndian)
	}
	// Without a mark: every letter and digit of a table has a byte of zeros, all
	// of them on one side.
	sample := text[:min(len(text), 4<<10)&^1]
	var zeros [2]int
	for i, b := range sample {
		if b == 0 {
			zeros[i%2]++
		}
	}
	half := len(sample) / 2
	switch {
	case half == 0:
	case zeros[1] > half/2 && zeros[0] < half/8:
		return fromUTF16(text, endian.LittleEndian)
	case zeros[0] > half/2 && zeros[1] < half/8:
		return fromUTF16(text, endian.BigEndian)
	}
	return text
}

// fromUTF16 decodes; half a unit at the end, as of a copy that broke off, is
// left out.
func fromUTF16(text []byte, order endian.ByteOrder) []byte {
	plain := make([]byte, 0, len(text)/2)
	for len(text) >= 2 {
		r := rune(order.Uint16(text))
		text = text[2:]
		if utf16.IsSurrogate(r) && len(text) >= 2 {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(text))); pair != utf8.RuneError {
				r, text = pair, text[2:]
			}
		}
		plain = utf8.AppendRune(plain, r)
	}
	return plain
}

// coloured is what terminals are told about colours and the cursor.
var coloured = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])`)

// Uncoloured is text without what only a terminal reads.
func Uncoloured(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return coloured.ReplaceAllString(text, "")
}

// bare is a line without that, and without blanks at its end.
func bare(line string) string { return strings.TrimRight(Uncoloured(line), "\r\t ") }
