package raster

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"
)

// Film is stills one after the other, for ever.
type Film struct {
	Label
	Rests   []time.Duration                      // how long each still stands
	Paint   func(still int) (*image.RGBA, error) // all of one size
	Colours int                                  // at most, 2 to 255
}

// samples is how many stills the colours of a film are taken from.
const samples = 4

// WriteGIF writes a film. Of each still only what differs from the one before
// is kept.
func WriteGIF(w io.Writer, f Film) error {
	palette, err := f.palette()
	if err != nil {
		return err
	}
	clear := uint8(len(palette))
	index := indexer{palette: palette, known: map[color.RGBA]uint8{}}
	colours := append(slices.Clone(palette), color.RGBA{}) // the last shows what was there before
	file := gif.GIF{Config: image.Config{ColorModel: colours}}
	var shown *image.Paletted
	for i, rest := range f.Rests {
		painted, err := f.Paint(i)
		if err != nil {
			return fmt.Errorf("paint still %d: %w", i, err)
		}
		still := index.of(painted, colours)
		part := still
		if shown != nil {
			if still.Rect != shown.Rect {
				return fmt.Errorf("paint still %d: it is %v and the one before %v", i, still.Rect, shown.Rect)
			}
			part = changes(shown, still, clear)
		} else {
			file.Config.Width, file.Config.Height = still.Rect.Dx(), still.Rect.Dy()
		}
		file.Image = append(file.Image, part)
		file.Delay = append(file.Delay, int(rest/(10*time.Millisecond)))
		file.Disposal = append(file.Disposal, gif.DisposalNone)
		shown = still
	}
	var encoded bytes.Buffer
	if err := gif.EncodeAll(&encoded, &file); err != nil {
		return fmt.Errorf("encode GIF: %w", err)
	}
	return f.write(w, encoded.Bytes())
}

// write puts the label behind the table of colours, as a comment.
func (f Film) write(w io.Writer, encoded []byte) error {
	head := 13 // signature and screen
	if table := encoded[10]; table&0x80 != 0 {
		head += 3 << (table&7 + 1)
	}
	var file bytes.Buffer
	file.Write(encoded[:head])
	comment := []byte(f.Title + "\n" + f.Source)
	file.Write([]byte{0x21, 0xfe})
	for block := range slices.Chunk(comment, 255) {
		file.WriteByte(byte(len(block)))
		file.Write(block)
	}
	file.WriteByte(0)
	file.Write(encoded[head:])
	if _, err := file.WriteTo(w); err != nil {
		return fmt.Errorf("write GIF: %w", err)
	}
	return nil
}

// palette is the colours that most pixels have, of some stills from the first
// to the last.
func (f Film) palette() (color.Palette, error) {
	counts := map[color.RGBA]int{}
	last := len(f.Rests) - 1
	for s := range min(samples, last+1) {
		still := last
		if last >= samples {
			still = s * last / (samples - 1)
		} else {
			still = s
		}
		img, err := f.Paint(still)
		if err != nil {
			return nil, fmt.Errorf("paint still %d: %w", still, err)
		}
		for at := 0; at < len(img.Pix); at += 4 {
			counts[color.RGBA{img.Pix[at], img.Pix[at+1], img.Pix[at+2], 255}]++
		}
	}
	all := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range all[:min(len(all), f.Colours)] {
		palette = append(palette, c)
	}
	return palette, nil
}

// indexer finds the nearest colours of a palette.
type indexer struct {
	palette color.Palette
	known   map[color.RGBA]uint8
}

func (x indexer) of(img *image.RGBA, colours color.Palette) *image.Paletted {
	still := image.NewPaletted(img.Rect, colours)
	var before color.RGBA
	var index uint8
	for at := 0; at < len(img.Pix); at += 4 {
		c := color.RGBA{img.Pix[at], img.Pix[at+1], img.Pix[at+2], 255}
		if c != before {
			known, found := x.known[c]
			if !found {
				known = uint8(x.palette.Index(c))
				x.known[c] = known
			}
			before, index = c, known
		}
		still.Pix[at/4] = index
	}
	return still
}

// changes is the part of a still that differs from the one before, clear where
// it does not.
func changes(before, still *image.Paletted, clear uint8) *image.Paletted {
	var bounds image.Rectangle
	width := still.Rect.Dx()
	for y := range still.Rect.Dy() {
		row, old := still.Pix[y*still.Stride:][:width], before.Pix[y*before.Stride:][:width]
		if bytes.Equal(row, old) {
			continue
		}
		first, last := 0, width-1
		for row[first] == old[first] {
			first++
		}
		for row[last] == old[last] {
			last--
		}
		bounds = bounds.Union(image.Rect(first, y, last+1, y+1))
	}
	if bounds.Empty() { // a still must have something
		bounds = image.Rect(0, 0, 1, 1)
	}
	part := image.NewPaletted(bounds, still.Palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			index := still.Pix[y*still.Stride+x]
			if index == before.Pix[y*before.Stride+x] {
				index = clear
			}
			part.Pix[(y-bounds.Min.Y)*part.Stride+x-bounds.Min.X] = index
		}
	}
	return part
}
