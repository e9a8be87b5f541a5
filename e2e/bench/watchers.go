package main

//lint:file-ignore SA1019 the console uses the same; see web/socket.go

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nhooyr.io/websocket"
)

// watched is the run that is watched, and by how many.
const (
	watchers        = 1000
	watchedRanks    = 2
	watchedSize     = "16MiB"
	watchedRounds   = 600 // iterations: long enough for all to come in
	watchersAtOnce  = 50  // that open their socket at the same time
	longestFrame    = 1 << 20
	longestWatching = 5 * time.Minute
)

// measureWatchers runs a collective in a served console without watchers and
// with a thousand of them, in turns, and writes what they cost it. The ranks
// have a processor of their own; the console and the watchers share another.
func measureWatchers(console, scratch, out string, rounds int) error {
	if runtime.GOOS != "linux" || runtime.NumCPU() < 2 {
		fmt.Println("not Linux with two processors: watchers are not measured")
		return nil
	}
	data := filepath.Join(scratch, "watched")
	address, stop, err := serve(console, data)
	if err != nil {
		return err
	}
	defer stop()
	key, err := exec.Command(console, "key", "--data", data).Output()
	if err != nil {
		return fmt.Errorf("ask for a key: %w", err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	v := &visitor{address: address, client: &http.Client{Jar: jar}}
	if err := v.enter(strings.TrimSpace(string(key))); err != nil {
		return err
	}
	var alone, watched, ratios []float64
	frames := 0.0
	for range max(rounds, 1) {
		without, _, err := v.timeRun(0)
		if err != nil {
			return err
		}
		with, sent, err := v.timeRun(watchers)
		if err != nil {
			return err
		}
		alone, watched, ratios = append(alone, without), append(watched, with), append(ratios, with/without)
		frames = sent
	}
	slices.Sort(ratios)
	text := fmt.Sprintf("# A run and its watchers\n\n%s. Written by `make bench`.\n\n"+
		"All-reduce, ring, %d ranks, %s, full speed, in a served console: nobody watching, and %d WebSockets, in turns. The ranks are pinned to\n"+
		"processor 0, the console and the watchers to processor 1. A time is the median of the iterations of the second half of the run, when\n"+
		"all watchers are there; the columns hold the median of %d rounds, the ratio its median and range. Messages are those that each watcher got\n"+
		"per second of the run.\n\n"+
		"| watchers | time of an iteration | ratio | range | messages each per second | load |\n| --- | --- | --- | --- | --- | --- |\n"+
		"| 0 | %s | 1 | | | |\n| %d | %s | **%.3f** | %.3f–%.3f | %.1f | %s |\n",
		machine(),
		watchedRanks, watchedSize, watchers, len(ratios), duration(median(alone)), watchers, duration(median(watched)),
		median(ratios), ratios[0], ratios[len(ratios)-1], frames, load())
	fmt.Print(text)
	return write(out, "watchers.md", text)
}

// visitor is somebody with a session.
type visitor struct {
	address string
	client  *http.Client
}

func (v *visitor) enter(key string) error {
	answer, err := v.client.Get(v.address + "/en/?key=" + url.QueryEscape(key))
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("log in: %s", answer.Status)
	}
	return nil
}

// start starts the run and returns its ID.
func (v *visitor) start() (id string, err error) {
	form := url.Values{
		"pair": {"all-reduce/ring"}, "n": {strconv.Itoa(watchedRanks)}, "size": {watchedSize}, "pace": {"none"}, "iterations": {strconv.Itoa(watchedRounds)},
	}
	request, err := http.NewRequest(http.MethodPost, v.address+"/en/runs", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", v.address)
	answer, err := v.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("start a run: %w", err)
	}
	defer answer.Body.Close()
	if id = path.Base(answer.Request.URL.Path); answer.StatusCode != http.StatusOK || id == "runs" {
		return "", fmt.Errorf("start a run: %s", answer.Status)
	}
	return id, nil
}

// timeRun carries the run out with that many watchers and returns what an
// iteration took, in seconds, and the messages that each watcher got per
// second.
func (v *visitor) timeRun(count int) (took, frames float64, err error) {
	id, err := v.start()
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longestWatching)
	defer cancel()
	var group sync.WaitGroup
	defer group.Wait()
	var sent atomic.Int64
	failed := make(chan error, count)
	entering := make(chan struct{}, watchersAtOnce)
	begun := time.Now()
	for range count {
		group.Go(func() {
			entering <- struct{}{}
			conn, err := v.watch(ctx, id)
			<-entering
			if err == nil {
				err = follow(ctx, conn, &sent)
			}
			if err != nil {
				failed <- err
			}
		})
	}
	took, err = v.end(ctx, id)
	if err != nil {
		cancel()
		return 0, 0, err
	}
	group.Wait()
	select {
	case err := <-failed:
		return 0, 0, fmt.Errorf("%d of %d watchers failed: %w", len(failed)+1, count, err)
	default:
	}
	return took, float64(sent.Load()) / float64(max(count, 1)) / time.Since(begun).Seconds(), nil
}

func (v *visitor) watch(ctx context.Context, id string) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(v.address, "http")+"/api/v1/runs/"+id+"/events",
		&websocket.DialOptions{HTTPClient: v.client, HTTPHeader: http.Header{"Origin": {v.address}}})
	if err != nil {
		return nil, fmt.Errorf("watch run %s: %w", id, err)
	}
	conn.SetReadLimit(longestFrame)
	return conn, nil
}

// follow reads what is sent until the line is closed.
func follow(ctx context.Context, conn *websocket.Conn, sent *atomic.Int64) error {
	defer conn.CloseNow()
	for {
		_, _, err := conn.Read(ctx)
		if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read what happens: %w", err)
		}
		sent.Add(1)
	}
}

// end waits for the end of the run, pins its ranks meanwhile, and returns the
// median time of the second half of its iterations.
func (v *visitor) end(ctx context.Context, id string) (float64, error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := pin(); err != nil {
			return 0, err
		}
		var message struct {
			Type string `json:"type"`
			Run  struct {
				Outcome  string    `json:"outcome"`
				Iterated []float64 `json:"iteration_times_s"`
			} `json:"run"`
		}
		if err := v.read(ctx, "/api/v1/runs/"+id, &message); err != nil {
			return 0, err
		}
		if message.Type == "end" {
			if message.Run.Outcome != "done" || len(message.Run.Iterated) != watchedRounds {
				return 0, fmt.Errorf("run %s: %s after %d iterations", id, message.Run.Outcome, len(message.Run.Iterated))
			}
			return median(message.Run.Iterated[watchedRounds/2:]), nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return 0, fmt.Errorf("run %s: %w", id, ctx.Err())
		}
	}
}

func (v *visitor) read(ctx context.Context, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, v.address+path, nil)
	if err != nil {
		return err
	}
	answer, err := v.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("read %s: %s", path, answer.Status)
	}
	return json.NewDecoder(io.LimitReader(answer.Body, 64<<20)).Decode(into)
}

// pin puts the ranks on processor 0, and the console and this process on
// processor 1.
func pin() error {
	served, err := children(os.Getpid())
	if err != nil {
		return err
	}
	to := map[int]int{os.Getpid(): 1}
	for _, console := range served {
		to[console] = 1
		ranks, err := children(console)
		if err != nil {
			return err
		}
		for _, rank := range ranks {
			to[rank] = 0
		}
	}
	for process, processor := range to {
		err := exec.Command("taskset", "--all-tasks", "--pid", "--cpu-list", strconv.Itoa(processor), strconv.Itoa(process)).Run()
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("pin the ranks: %w (of util-linux)", err)
		} // others: the process has just ended
	}
	return nil
}

// children returns the processes that a process has started.
func children(process int) (ids []int, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", process))
	if err != nil {
		return nil, err
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if errors.Is(err, os.ErrNotExist) || err != nil && len(text) == 0 {
			continue // the thread has just ended
		}
		for _, word := range strings.Fields(string(text)) {
			if id, err := strconv.Atoi(word); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}
