package web

import (
	"bytes"
	"crypto/tls"
	"errors"
	"image/gif"
	"image/png"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views/raster"
)

func TestPixelsOfAStep(t *testing.T) {
	c := newConsole(t)
	answer := c.get("/zh/learn/all-reduce/ring/step.png?n=4&step=3&scale=1")
	wantStatus(t, "a picture", answer, http.StatusOK)
	if got := answer.Header.Get("Content-Type"); got != "image/png" {
		t.Errorf("a picture is %s", got)
	}
	if got := answer.Header.Get("Content-Disposition"); got != `inline; filename="all-reduce-ring-n4-step3.png"` {
		t.Errorf("it is kept as %s", got)
	}
	if got := answer.Header.Get("Content-Security-Policy"); got != nothingElse {
		t.Errorf("its policy is %s", got)
	}
	file := body(t, answer)
	img, err := png.Decode(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(file, "http://"+host+"/zh/learn/all-reduce/ring?n=4&step=3") {
		t.Error("it does not say where it comes from")
	}
	larger, err := png.Decode(strings.NewReader(body(t, c.get("/zh/learn/all-reduce/ring/step.png?n=4&step=3&scale=9&theme=dark"))))
	if err != nil {
		t.Fatal(err)
	}
	if larger.Bounds().Dx() != 3*img.Bounds().Dx() {
		t.Errorf("at most three times %v is %v", img.Bounds(), larger.Bounds())
	}
	light, _, _, _ := img.At(2, 2).RGBA()
	dark, _, _, _ := larger.At(2, 2).RGBA()
	if light < 0xf000 || dark > 0x3000 {
		t.Errorf("light paper is %x, dark paper %x", light, dark)
	}
}

// A film has a still for every step, the last to be read at leisure.
func TestFilmOfALesson(t *testing.T) {
	c := newConsole(t)
	answer := c.get("/en/learn/all-reduce/ring/lesson.gif")
	wantStatus(t, "a film", answer, http.StatusOK)
	file := body(t, answer)
	film, err := gif.DecodeAll(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if len(film.Image) != 15 || film.LoopCount != 0 || film.Delay[14] != 300 {
		t.Errorf("it has %d stills, the last for %d0 ms", len(film.Image), film.Delay[len(film.Delay)-1])
	}
}

// mostFilm is the size of a film that still goes into a mail or a slide.
const mostFilm = 300_000

// No lesson of eight ranks is a film of more bytes than that: each pair is filmed
// in one language and theme, the longest in all of them.
func TestFilmsOfEightRanks(t *testing.T) {
	c := newConsole(t)
	some := rand.New(rand.NewPCG(8, 8))
	looks := []string{"zh light", "zh dark", "en light", "en dark"}
	var films [][2]string
	for _, e := range schedule.Catalog() {
		name := string(e.Collective) + "/" + e.Algorithm
		if name == "all-reduce/ring" {
			continue
		}
		films = append(films, [2]string{name, looks[some.IntN(len(looks))]})
	}
	some.Shuffle(len(films), func(i, k int) { films[i], films[k] = films[k], films[i] })
	if testing.Short() {
		films = films[:6]
	}
	for _, look := range looks {
		films = append(films, [2]string{"all-reduce/ring", look})
	}
	for _, film := range films {
		t.Run(film[0]+" "+film[1], func(t *testing.T) {
			t.Parallel()
			lang, theme, _ := strings.Cut(film[1], " ")
			answer := c.get("/" + lang + "/learn/" + film[0] + "/lesson.gif?n=8&theme=" + theme)
			wantStatus(t, "a film", answer, http.StatusOK)
			if size := len(body(t, answer)); size > mostFilm {
				t.Errorf("it takes %d bytes, which is %.0f%% of what it may", size, 100*float64(size)/mostFilm)
			}
		})
	}
}

// Links in what leaves the console have the scheme that it was reached by.
func TestFilesNameTheirOrigin(t *testing.T) {
	c := newConsole(t)
	sealed := func(r *http.Request) { r.TLS = &tls.ConnectionState{} }
	for _, path := range []string{"step.svg?n=4", "step.svg?n=4&theme=dark", "qr.svg?n=4", "handout?n=4"} {
		for scheme, with := range map[string]func(*http.Request){"http://": func(*http.Request) {}, "https://": sealed} {
			answer := c.get("/en/learn/all-reduce/ring/"+path, with)
			wantStatus(t, path, answer, http.StatusOK)
			if page := body(t, answer); !strings.Contains(page, scheme+host+"/en/learn/all-reduce/ring?n=4") {
				t.Errorf("%s does not link to %s%s", path, scheme, host)
			}
		}
	}
	if svg := body(t, c.get("/en/learn/all-reduce/ring/step.svg?theme=dark")); strings.Contains(svg, "#0a5a96") || !strings.Contains(svg, "#4c9be0") {
		t.Error("the dark drawing has light colours")
	}
}

func TestLessonOffersWhatLeavesIt(t *testing.T) {
	c := newConsole(t)
	page := body(t, c.get("/en/learn/all-reduce/ring?step=5"))
	for _, want := range []string{"/ring/step.png?", "/ring/lesson.gif", "/ring/handout", "/ring/qr.svg?step=5", "embed=1&amp;amp;step=5", "&lt;iframe"} {
		if !strings.Contains(page, want) {
			t.Errorf("the lesson does not offer %s", want)
		}
	}
	for _, query := range []string{"embed=1", "hide=out"} {
		if strings.Contains(body(t, c.get("/en/learn/all-reduce/ring?"+query)), "data-take") {
			t.Errorf("with %s it still does", query)
		}
	}
}

// Whoever asks for the same gets the one print; too many different ones are
// refused rather than made to wait.
func TestPressPrintsOnceAndRefusesTooMany(t *testing.T) {
	p := newPress(nil)
	times := 0
	paint := func(_ *raster.Painter, to *bytes.Buffer) error { times++; to.WriteString("a picture"); return nil }
	for range 3 {
		file, err := p.print(printKey("one"), paint)
		if err != nil || string(file) != "a picture" {
			t.Fatalf("the print is %q: %v", file, err)
		}
	}
	if times != 1 {
		t.Errorf("it was painted %d times", times)
	}
	broken := errors.New("no ink")
	if _, err := p.print(printKey("two"), func(*raster.Painter, *bytes.Buffer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a print that fails: %v", err)
	}

	started, finish := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for i := range mostPrints {
		all.Go(func() {
			_, _ = p.print(printKey("long", string(rune('a'+i))), func(*raster.Painter, *bytes.Buffer) error {
				started <- struct{}{}
				<-finish
				return nil
			})
		})
	}
	for range mostPrints {
		<-started
	}
	for len(p.places) < cap(p.places) { // as many as may wait
		p.places <- struct{}{}
	}
	if _, err := p.print(printKey("three"), paint); !errors.Is(err, errPressed) {
		t.Errorf("one too many: %v", err)
	}
	close(finish)
	all.Wait()
}

func TestPressForgetsTheOldest(t *testing.T) {
	p := newPress(nil)
	big := make([]byte, keptPrints/2)
	p.keep(printKey("a"), big)
	p.keep(printKey("b"), big)
	p.find(printKey("a"))
	p.keep(printKey("c"), big)
	for name, want := range map[string]bool{"a": true, "b": false, "c": true} {
		if _, found := p.find(printKey(name)); found != want {
			t.Errorf("%s is kept: %v", name, found)
		}
	}
	p.keep(printKey("huge"), make([]byte, keptPrints+1))
	if _, found := p.find(printKey("huge")); found || p.bytes > keptPrints {
		t.Errorf("%d bytes are kept", p.bytes)
	}
}
