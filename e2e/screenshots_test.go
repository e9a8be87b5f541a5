package e2e

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
)

// screenshots rewrites the pictures of the read-me files:
//
//	go test ./e2e -run TestScreenshots -screenshots
var screenshots = flag.Bool("screenshots", false, "rewrite docs/screenshots")

// screenshotFolder holds the pictures of the read-me files.
var screenshotFolder = filepath.Join("..", "docs", "screenshots")

// What a picture may be: small enough for a read-me that opens at once.
const (
	screenshotWidth, screenshotHeight = 1280, 800

	maxScreenshot    = 150 << 10 // bytes
	maxScreenshots   = 1200 << 10
	screenshotColour = 128 // the most colours, which pages of flat colours come to
)

// TestScreenshots takes the pictures of the read-me files, and holds them to
// what such pictures must be.
func TestScreenshots(t *testing.T) {
	folder := t.TempDir()
	if *screenshots {
		folder = screenshotFolder
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.do(chromedp.EmulateViewport(screenshotWidth, screenshotHeight))
	p.prefer("light")
	p.open("/?key="+key, false)
	total := 0
	take := func(name, path, until string) {
		t.Helper()
		p.open(path, false)
		p.waitAcross(until)
		total += p.shoot(filepath.Join(folder, name+".png"))
	}
	const drawn = `document.querySelector("main svg") !== null`
	live := strings.TrimPrefix(startRun(p, "n=4&size=16MB&pace=rate&rate=2MB/s"), "/en")
	for _, language := range languages {
		take("run-"+language, "/"+language+live, `document.querySelector("[data-share]").value > 40 && document.querySelectorAll(".blockgrid .receives").length > 1`)
	}
	p.do(chromedp.Click(`.lab-row:nth-child(3) button[value="kill"]`))
	p.waitAcross(`document.querySelector(".callout.bad") !== null`) // the page of the ended run comes by itself
	for _, language := range languages {
		take("failed-"+language, "/"+language+live, drawn)
		take("lesson-"+language, "/"+language+"/learn/all-reduce/ring?n=4&step=3", drawn)
		take("race-"+language, "/"+language+"/learn/race?a=central&b=ring", drawn)
		take("measured-"+language, "/"+language+"/learn/central-server#measured", drawn)
		take("size-"+language, "/"+language+"/size?model=llama3-8b&bytes=2&nodes=16&per_node=1&fabric=roce-200&compute=20", drawn)
		form := url.Values{"model": {"llama3-8b"}, "bytes": {"2"}, "nodes": {"16"}, "per_node": {"1"}, "fabric": {"roce-200"}, "compute": {"20"},
			"title": {map[string]string{"en": "Communication of a 16-node cluster", "zh": "16 节点训练集群的通信估算"}[language]}}
		p.open("/"+language+"/reports/new?"+form.Encode(), false)
		p.do(chromedp.Click(`.report-form button`), chromedp.WaitReady(`.paper`))
		take("report-"+language, evaluate[string](p, `location.pathname`), drawn)
	}
	p.prefer("dark")
	take("race-dark-en", "/en/learn/race?a=central&b=ring", drawn)
	if total > maxScreenshots {
		t.Errorf("all pictures have %d bytes, want at most %d", total, maxScreenshots)
	}
}

// shoot saves what stands in the window, in few colours, and returns how many
// bytes that took.
func (p *tab) shoot(file string) int {
	p.t.Helper()
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		p.t.Fatal(err)
	}
	name := filepath.Base(file)
	if size := picture.Bounds().Size(); size.X != screenshotWidth || size.Y != screenshotHeight {
		p.t.Errorf("%s is %d × %d", name, size.X, size.Y)
	}
	few, most := reduce(picture, screenshotColour)
	if len(few.Palette) < 16 || most > 0.97 {
		p.t.Errorf("%s is blank: %d colours, one of them on %.0f %% of it", name, len(few.Palette), 100*most)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few); err != nil {
		p.t.Fatal(err)
	}
	if out.Len() > maxScreenshot {
		p.t.Errorf("%s has %d bytes, want at most %d", name, out.Len(), maxScreenshot)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		p.t.Fatal(err)
	}
	return out.Len()
}

// reduce redraws a picture in the colours that it has most of, each other
// pixel in the nearest of them, and returns the share of the commonest.
func reduce(picture image.Image, colours int) (few *image.Paletted, most float64) {
	bounds := picture.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	few = image.NewPaletted(bounds, nil)
	used := map[color.RGBA]bool{}
	for len(few.Palette) < colours && len(used) < len(count) {
		best, times := color.RGBA{}, 0
		for c, n := range count {
			if !used[c] && (n > times || n == times && before(c, best)) {
				best, times = c, n
			}
		}
		if len(few.Palette) == 0 {
			most = float64(times) / float64(bounds.Dx()*bounds.Dy())
		}
		used[best] = true
		few.Palette = append(few.Palette, best)
	}
	nearest := map[color.RGBA]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := at(x, y)
			index, known := nearest[c]
			if !known {
				index = uint8(few.Palette.Index(c))
				nearest[c] = index
			}
			few.SetColorIndex(x, y, index)
		}
	}
	return few, most
}

// before puts colours into an order, so that the same picture always becomes
// the same file.
func before(a, b color.RGBA) bool {
	number := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	return number(a) < number(b)
}

func TestReduceKeepsWhatThereIsMostOf(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 4, 1))
	for x, level := range []uint8{0, 0, 250, 245} {
		picture.Set(x, 0, color.RGBA{level, level, level, 255})
	}
	few, most := reduce(picture, 2)
	if len(few.Palette) != 2 || most != 0.5 || few.ColorIndexAt(2, 0) != few.ColorIndexAt(3, 0) || few.ColorIndexAt(0, 0) == few.ColorIndexAt(2, 0) {
		t.Errorf("%v, the commonest on %v", few.Palette, most)
	}
}

// TestReadMePictures holds the read-me files to the pictures that there are.
func TestReadMePictures(t *testing.T) {
	for _, file := range []string{"README.md", "README.zh.md"} {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		pictures := regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`).FindAllStringSubmatch(string(text), -1)
		if len(pictures) < 4 {
			t.Errorf("%s shows %d pictures", file, len(pictures))
		}
		for _, m := range pictures {
			if utf8.RuneCountInString(m[1]) < 20 {
				t.Errorf("%s says only %q of %s", file, m[1], m[2])
			}
			info, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[2])))
			if err != nil {
				t.Errorf("%s: %v", file, err)
			} else if info.Size() > maxScreenshot {
				t.Errorf("%s has %d bytes", m[2], info.Size())
			}
		}
	}
}
