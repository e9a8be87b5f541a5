package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/chromedp/chromedp"
)

// lessonCase is a lesson to play.
type lessonCase struct {
	name, path string
}

func lessons() []lessonCase {
	return []lessonCase{
		{"ring, 8 ranks, cards", "/en/learn/all-reduce/ring?n=8"},
		{"ring, 32 ranks, 32 × 32 cells", "/en/learn/all-reduce/ring?n=32"},
		{"ring, 64 ranks, 64 × 64 cells", "/en/learn/all-reduce/ring?n=64"},
		{"central, 32 ranks", "/en/learn/all-reduce/central?n=32"},
	}
}

// measureLessons plays lessons in a real browser without a GPU and returns a
// table: frames per second while playing, and what a step back costs.
func measureLessons(console, scratch, out string) error {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		fmt.Println("no Chromium: the lessons are not measured")
		return nil
	}
	address, stop, err := serve(console, filepath.Join(scratch, "served"))
	if err != nil {
		return err
	}
	defer stop()

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.DisableGPU, chromedp.WindowSize(1440, 900))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	defer stopAllocator()
	ctx, closeTab := chromedp.NewContext(allocator)
	defer closeTab()

	// The browser belongs to the context that first does something with it.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return fmt.Errorf("start %s: %w", browser, err)
	}

	var table strings.Builder
	fmt.Fprintf(&table, "# Lessons in the browser\n\n%s, headless Chromium without a GPU, 1440 × 900. Written by `make bench`.\n\n"+
		"Frames are animation frames per second while the lesson plays by itself for four seconds. Step back is the time from the key to\n"+
		"the end of the frame that shows the earlier step: script is its part before the browser draws, shown ends with the next frame,\n"+
		"which comes at most every 16.7 ms. Medians of 21.\n\n"+
		"| lesson | frames per second | step back, script | step back, shown | load |\n| --- | --- | --- | --- | --- |\n",
		machine())
	fmt.Print(table.String())
	for _, l := range lessons() {
		got, err := measureLesson(ctx, address+l.path)
		if err != nil {
			return fmt.Errorf("play %s: %w", l.path, err)
		}
		line := fmt.Sprintf("| %s | %.0f | %.1f ms | %.1f ms | %s |", l.name, got.Frames, median(got.Script), median(got.Shown), load())
		fmt.Println(line)
		table.WriteString(line + "\n")
	}
	return write(out, "lessons.md", table.String())
}

// played is what measureScript returns; times in milliseconds.
type played struct {
	Frames float64   `json:"frames"`
	Script []float64 `json:"script"`
	Shown  []float64 `json:"shown"`
}

func measureLesson(ctx context.Context, url string) (played, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(url), chromedp.WaitVisible("[data-play]")); err != nil {
		return played{}, err
	}
	return chromedp.Run(ctx, chromedp.Evaluate[played](measureScript, chromedp.EvalAwaitPromise))
}

// measureScript plays, counts frames, then steps back from the end.
const measureScript = `(async () => {
	const frame = () => new Promise(requestAnimationFrame);
	const play = document.querySelector('[data-play]');
	play.focus();
	play.click();
	await frame();
	const begun = performance.now();
	let frames = 0;
	while (performance.now() - begun < 4000) { await frame(); frames++; }
	const rate = frames * 1000 / (performance.now() - begun);
	const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
	play.click();
	press('End');
	await frame();
	const script = [], shown = [];
	for (let i = 0; i < 21; i++) {
		await frame();
		const start = performance.now();
		press('ArrowLeft');
		script.push(performance.now() - start);
		await frame();
		await new Promise((done) => setTimeout(done));
		shown.push(performance.now() - start);
	}
	return {frames: rate, script, shown};
})()`

// serve starts the console and returns its address and what ends it.
func serve(console, data string) (address string, stop func(), err error) {
	cmd := exec.Command(console, "serve", "--listen", "127.0.0.1:0", "--data", data)
	cmd.Env = append(os.Environ(), "LOCKSTEP_CALIBRATE=never")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	words := strings.Fields(line)
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "http://") })
	if i < 0 {
		stop()
		return "", nil, errors.Join(fmt.Errorf("the console printed %q, no address", line), err)
	}
	address, _, _ = strings.Cut(words[i], "/?")
	return address, stop, nil
}
