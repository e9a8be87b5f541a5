package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lockstep/web/certificate"
)

func TestListenTakesLoopbackOnlyWithoutMore(t *testing.T) {
	for address, accepted := range map[string]bool{
		"127.0.0.1:8080":      true,
		"127.1.2.3:8080":      true,
		"[::1]:8080":          true,
		"localhost:0":         true,
		":8080":               false,
		"0.0.0.0:8080":        false,
		"[::]:8080":           false,
		"192.168.0.1:8080":    false,
		"example.com:8080":    false,
		"localhost.evil:8080": false,
		"127.0.0.1":           false,
		"8080":                false,
		"":                    false,
	} {
		_, err := reachFlags{Listen: address}.plan(func() (bool, error) { return false, nil })
		if (err == nil) != accepted {
			t.Errorf("--listen %q: %v; accepted should be %v", address, err, accepted)
		}
		if err != nil && !strings.Contains(err.Error(), "accepted is") {
			t.Errorf("--listen %q: the refusal does not say what is accepted: %v", address, err)
		}
	}
}

// TestServeInvitesAgain runs the command in this process, where the race
// detector sees it.
func TestServeInvitesAgain(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, said := io.Pipe()
	status := make(chan int, 1)
	dir := filepath.Join(t.TempDir(), "data")
	var log bytes.Buffer // written by serve alone, read after its end
	go func() {
		status <- execute(ctx, []string{"serve", "--calibrate", "never", "--data", dir, "--listen", "127.0.0.1:0"}, terminal{said, &log})
		_ = said.Close() // never fails
	}()
	lines := make(chan string, 10) // more than are printed, so that serve never waits
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- scanner.Text()
		}
		close(lines)
	}()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	printed := map[string]bool{}
	for range 3 {
		address, found := strings.CutPrefix(<-lines, "open ")
		if !found || printed[address] {
			t.Fatalf("serve prints %q after %v", address, printed)
		}
		printed[address] = true
		answer, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil {
			t.Error(err)
		}
		if answer.StatusCode != http.StatusSeeOther {
			t.Errorf("%s answers %d, want 303", address, answer.StatusCode)
		}
	}
	stop()
	if got := <-status; got != 0 {
		t.Errorf("exit status %d, want 0\n%s", got, &log)
	}
}

// A folder of which others can see the content is served, with one line on
// standard error that says how to close it; one of its own says nothing.
func TestServeSaysThatOthersCanLookIn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no such rights")
	}
	for mode, warned := range map[os.FileMode]bool{0o755: true, 0o710: true, 0o700: false} {
		dir := filepath.Join(t.TempDir(), "data")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		out, said := io.Pipe()
		var log bytes.Buffer // written by serve alone, read after its end
		status := make(chan int, 1)
		go func() {
			status <- execute(ctx, []string{"serve", "--calibrate", "never", "--data", dir, "--listen", "127.0.0.1:0"}, terminal{said, &log})
			_ = said.Close() // never fails
		}()
		scanner := bufio.NewScanner(out)
		if !scanner.Scan() {
			t.Errorf("mode %#o is not served", mode)
		}
		stop()
		for scanner.Scan() { // so that serve never waits
		}
		if got := <-status; got != 0 {
			t.Errorf("exit status %d, want 0\n%s", got, &log)
		}
		if lines := strings.Count(log.String(), "chmod 700 "+dir); (lines == 1) != warned || lines > 1 {
			t.Errorf("mode %#o is answered\n%s", mode, &log)
		}
		if at, err := os.Stat(dir); err != nil || at.Mode().Perm() != mode {
			t.Errorf("mode %#o has become %v, %v", mode, at.Mode(), err)
		}
	}
}

func TestOneConsoleServesAFolder(t *testing.T) {
	dir := t.TempDir()
	if address, err := servedAt(dir); err != nil || address != "" {
		t.Fatalf("nobody serves the folder, but servedAt = %q, %v", address, err)
	}
	release, err := claim(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if address, err := servedAt(dir); err != nil || address != "" {
		t.Errorf("before it is published servedAt = %q, %v", address, err)
	}
	if err := publish(dir, "http://127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	if address, err := servedAt(dir); err != nil || address != "http://127.0.0.1:1" {
		t.Errorf("servedAt = %q, %v", address, err)
	}
	if _, err := claim(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:1") {
		t.Errorf("second claim: %v; want a refusal that names the first console", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if address, err := servedAt(dir); err != nil || address != "" {
		t.Errorf("after the end servedAt = %q, %v", address, err)
	}
	again, err := claim(t.Context(), dir)
	if err != nil {
		t.Fatalf("claim after release: %v", err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
}

// A console that is refused has changed nothing that the one which serves
// stands for.
func TestRefusedConsoleLeavesTheCertificateAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, said := io.Pipe()
	status := make(chan int, 1)
	serve := func(more ...string) []string {
		return append([]string{"serve", "--calibrate", "never", "--data", dir, "--listen", "127.0.0.1:0", "--tls-self-signed"}, more...)
	}
	var log bytes.Buffer // written by serve alone, read after its end
	go func() {
		status <- execute(ctx, serve(), terminal{said, &log})
		_ = said.Close() // never fails
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("serve says nothing")
	}
	before, err := os.ReadFile(filepath.Join(dir, certificate.SelfSignedFile))
	if err != nil {
		t.Fatal(err)
	}
	var refused bytes.Buffer
	if got := execute(ctx, serve("--host", "another.example"), terminal{io.Discard, &refused}); got != 1 || !strings.Contains(refused.String(), "is served already, at https://") {
		t.Errorf("second console: status %d\n%s", got, &refused)
	}
	after, err := os.ReadFile(filepath.Join(dir, certificate.SelfSignedFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the refused console has made the certificate anew (%v)", err)
	}
	stop()
	if got := <-status; got != 0 {
		t.Errorf("exit status %d, want 0\n%s", got, &log)
	}
}
