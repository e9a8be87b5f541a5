package e2e

//lint:file-ignore SA1019 nhooyr.io/websocket lives on under another path and is kept as it is on purpose: see docs/decisions/0006-websocket.md

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"nhooyr.io/websocket"
)

const (
	students = 60
	// classMemory is the most memory that a console may ever take while a class
	// reads and watches, in bytes: three times what it does take.
	classMemory = 192 << 20
)

// TestAClassLearnsAndWatches has sixty students, each with a session of their
// own, read lessons and follow one run at the same time.
func TestAClassLearnsAndWatches(t *testing.T) {
	t.Parallel()
	console, address, key := serveIn(t, t.TempDir(), "127.0.0.1:0")
	class := make([]*student, students)
	for i := range class {
		class[i] = newStudent(t, i, address)
		if err := class[i].enter(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		var err error
		if _, key, err = console.invitation(); err != nil {
			t.Fatal(err)
		}
	}
	run, err := class[0].start(t.Context(), url.Values{"pair": {"all-reduce/ring"}, "n": {"4"}, "size": {"16MB"}, "pace": {"rate"}, "rate": {"4MB/s"}})
	if err != nil {
		t.Fatal(err)
	}
	var atOnce sync.WaitGroup
	fails := make([]error, students)
	for i, s := range class {
		atOnce.Go(func() { fails[i] = errors.Join(s.learn(t.Context(), i), s.watch(t.Context(), run)) })
	}
	atOnce.Wait()
	for i, err := range fails {
		if err != nil {
			t.Errorf("student %d: %v", i, err)
		}
	}
	if took, known := peakMemory(console.process.Process.Pid); known && took > classMemory {
		t.Errorf("the console has taken %d MiB, want at most %d", took>>20, classMemory>>20)
	} else {
		t.Logf("the console has taken %d MiB at most", took>>20)
	}
	for _, line := range strings.Split(console.said(), "\n") {
		if strings.Contains(line, "level=ERROR") {
			t.Error(line)
		}
	}
}

// student is a visitor with a session, and on Linux with an address, of their
// own: keys are tried so many times a minute from one address.
type student struct {
	address string
	client  http.Client
}

func newStudent(t *testing.T, i int, address string) *student {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	from := net.Dialer{}
	if runtime.GOOS == "linux" { // where all of 127.0.0.0/8 is this machine
		from.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}
	} else {
		t.Skip("needs an address of this machine for each student")
	}
	transport := &http.Transport{DialContext: from.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &student{address, http.Client{Jar: jar, Transport: transport, Timeout: patience}}
}

// get returns a page that is there.
func (s *student) get(ctx context.Context, path string) (string, error) {
	return s.do(http.NewRequestWithContext(ctx, http.MethodGet, s.address+path, nil))
}

// do returns the page that a request leads to.
func (s *student) do(r *http.Request, err error) (string, error) {
	if err != nil {
		return "", err
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s", r.URL, answer.Status)
	}
	return string(text), err
}

// enter opens a session.
func (s *student) enter(ctx context.Context, key string) error {
	page, err := s.get(ctx, "/en/?key="+key)
	if err == nil && !strings.Contains(page, "/en/logout") {
		err = errors.New("the key opens no session")
	}
	return err
}

var runPath = regexp.MustCompile(`/en/runs/(\d+)/cancel`)

// start starts a run and returns its ID.
func (s *student) start(ctx context.Context, form url.Values) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/en/runs", strings.NewReader(form.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	page, err := s.do(r, err)
	if err != nil {
		return "", err
	}
	found := runPath.FindStringSubmatch(page)
	if found == nil {
		return "", errors.New("the form leads to no run")
	}
	return found[1], nil
}

// learn reads lessons, each student others.
func (s *student) learn(ctx context.Context, i int) error {
	for step := range 4 {
		n := 2 + (i+step)%15
		for _, path := range []string{
			fmt.Sprintf("/zh/learn/all-reduce/ring?n=%d&step=%d", n, step),
			fmt.Sprintf("/en/learn/all-reduce/ring/steps.json?n=%d", n),
		} {
			text, err := s.get(ctx, path)
			if err != nil {
				return err
			}
			if !strings.Contains(text, "hash") {
				return fmt.Errorf("%s is no lesson", path)
			}
		}
	}
	return nil
}

// watch follows a run to its end, which has to be a good one.
func (s *student) watch(ctx context.Context, run string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := s.get(ctx, "/zh/runs/"+run); err != nil {
		return err
	}
	streaming := s.client
	streaming.Timeout = 0 // ctx has one
	conn, _, err := websocket.Dial(ctx, strings.Replace(s.address, "http", "ws", 1)+"/api/v1/runs/"+run+"/events", &websocket.DialOptions{
		HTTPClient: &streaming, HTTPHeader: http.Header{"Origin": {s.address}}})
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	for seq, begun := 0, false; ; begun = true {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var m struct {
			Seq  int
			Type string
			Run  struct {
				Outcome  string
				Verified bool
			}
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		if m.Seq < seq || !begun && m.Type != "snapshot" {
			return fmt.Errorf("after %d comes %s %d", seq, m.Type, m.Seq)
		}
		if seq = m.Seq; m.Type == "end" {
			if m.Run.Outcome != "done" || !m.Run.Verified {
				return fmt.Errorf("the run ends as %+v", m.Run)
			}
			return conn.Close(websocket.StatusNormalClosure, "")
		}
	}
}

// peakMemory returns the most memory that a process has held, where the system
// tells.
func peakMemory(pid int) (bytes int64, known bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0, false
	}
	kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return kib << 10, err == nil
}
