package raster

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// Label is what a file says of itself, for whoever finds it without its page.
type Label struct {
	Title  string
	Source string // a URL
}

// pngHead is how many bytes stand before the first chunk that others may
// follow: the signature and the header.
const pngHead = 8 + 25

// WritePNG writes an image with a label in chunks of text, whose keywords are
// Title and URL.
func WritePNG(w io.Writer, img image.Image, l Label) error {
	var plain bytes.Buffer
	if err := png.Encode(&plain, img); err != nil {
		return fmt.Errorf("encode PNG: %w", err)
	}
	var file bytes.Buffer
	file.Grow(plain.Len() + 512)
	file.Write(plain.Bytes()[:pngHead])
	for _, part := range [][2]string{{"Title", l.Title}, {"URL", l.Source}} {
		writeText(&file, part[0], part[1])
	}
	file.Write(plain.Bytes()[pngHead:])
	if _, err := file.WriteTo(w); err != nil {
		return fmt.Errorf("write PNG: %w", err)
	}
	return nil
}

// writeText writes a chunk of text: tEXt, or iTXt where Latin-1 has not all of
// its characters.
func writeText(file *bytes.Buffer, keyword, text string) {
	kind, content := "tEXt", append([]byte(keyword), 0)
	if latin, ok := latin1(text); ok {
		content = append(content, latin...)
	} else {
		// not compressed, no language, no translated keyword
		kind, content = "iTXt", append(append(content, 0, 0, 0, 0), text...)
	}
	body := append([]byte(kind), content...)
	_ = binary.Write(file, binary.BigEndian, uint32(len(content))) // a buffer takes everything
	file.Write(body)
	_ = binary.Write(file, binary.BigEndian, crc32.ChecksumIEEE(body))
}

// latin1 is text in that encoding, if it can be written so.
func latin1(text string) ([]byte, bool) {
	var bytes []byte
	for _, r := range text {
		if r > 0xff {
			return nil, false
		}
		bytes = append(bytes, byte(r))
	}
	return bytes, true
}
