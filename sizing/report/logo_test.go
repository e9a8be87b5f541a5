package report

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// picture is a field of one colour with a transparent corner.
func picture(width, height int) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range p.Pix {
		p.Pix[i] = 0xff
	}
	for x := range min(width, 4) {
		p.Set(x, 0, color.NRGBA{})
	}
	return p
}

func encoded(t *testing.T, p image.Image, format string) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	if format == "jpeg" {
		err = jpeg.Encode(&out, p, nil)
	} else {
		err = png.Encode(&out, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Of a logo only pixels are kept: whatever else the file held is gone.
func TestLogoKeepsPixelsAlone(t *testing.T) {
	for _, format := range []string{"png", "jpeg"} {
		file := append(encoded(t, picture(300, 100), format), "<script>behind the picture</script>"...)
		if format == "jpeg" { // a comment
			file = append([]byte{0xff, 0xd8, 0xff, 0xfe, 0, 8, 's', 'e', 'c', 'r', 'e', 't'}, file[2:]...)
		}
		kept, flaw, ok := Logo(file)
		if !ok {
			t.Fatalf("%s: %+v", format, flaw)
		}
		if bytes.Contains(kept, []byte("script")) || bytes.Contains(kept, []byte("secret")) {
			t.Errorf("%s: more than pixels is kept", format)
		}
		if width, height := (Cover{Logo: kept}).LogoSize(); width != 300 || height != 100 {
			t.Errorf("%s is %d by %d", format, width, height)
		}
		again, _, ok := Logo(kept)
		if !ok || !bytes.Equal(again, kept) {
			t.Errorf("%s differs when it is read again", format)
		}
		if p, err := png.Decode(bytes.NewReader(kept)); err != nil {
			t.Error(err)
		} else if _, _, _, alpha := p.At(0, 0).RGBA(); format == "png" && alpha != 0 {
			t.Error("what was transparent is not")
		}
	}
}

// A large one is made smaller, noise too.
func TestLogoIsMadeSmaller(t *testing.T) {
	kept, flaw, ok := Logo(encoded(t, picture(2000, 100), "png"))
	if width, height := (Cover{Logo: kept}).LogoSize(); !ok || width != 800 || height != 40 {
		t.Errorf("%d by %d, %+v", width, height, flaw)
	}
	noise := image.NewNRGBA(image.Rect(0, 0, 1000, 1000))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, noise, &jpeg.Options{Quality: 1}); err != nil {
		t.Fatal(err)
	}
	if kept, flaw, ok = Logo(file.Bytes()); !ok || len(kept) > MaxLogo {
		t.Errorf("%d bytes, %v, %+v", len(kept), ok, flaw)
	}
}

func TestLogoRefuses(t *testing.T) {
	good := encoded(t, picture(40, 40), "png")
	for name, c := range map[string]struct {
		file []byte
		kind FlawKind
	}{
		"heavy":   {make([]byte, MaxLogo+1), LogoHeavy},
		"wide":    {encoded(t, picture(MaxLogoSide+1, 1), "png"), LogoLarge},
		"nothing": {nil, NoLogo},
		"text":    {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), NoLogo},
		"gif":     {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), NoLogo},
		"cut":     {good[:len(good)/2], NoLogo},
	} {
		if kept, flaw, ok := Logo(c.file); ok || kept != nil || flaw.Kind != c.kind || flaw.Field != "logo" {
			t.Errorf("%s: %v, %+v", name, ok, flaw)
		}
	}
}

func FuzzLogo(f *testing.F) {
	var out bytes.Buffer
	if err := png.Encode(&out, picture(8, 8)); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte("\xff\xd8\xff"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if kept, _, ok := Logo(file); ok && (len(kept) > MaxLogo || !strings.HasPrefix(string(kept), "\x89PNG")) {
			t.Errorf("%d bytes are kept", len(kept))
		}
	})
}

// The last day itself still counts.
func TestCoverExpires(t *testing.T) {
	now := time.Date(2027, 3, 1, 23, 59, 0, 0, time.UTC)
	for valid, want := range map[string]bool{"": false, "2027-03-01": false, "2027-02-28": true, "2027-03-02": false} {
		if got := (Cover{Valid: valid}).Expired(now); got != want {
			t.Errorf("valid until %q: expired %v", valid, got)
		}
	}
}
