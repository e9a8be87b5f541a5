package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
)

// TestThePageSaysWhatTheCommandSays: of the same question the command's
// document is byte for byte the answer that the page is made from, and what the
// page prints is that answer's time and interval.
func TestThePageSaysWhatTheCommandSays(t *testing.T) {
	desk, err := site.OpenDesk()
	if err != nil {
		t.Fatal(err)
	}
	base := served(t)
	for _, c := range []struct {
		collective, size, system, nodes string
		ask                             site.Ask
		flags                           []string
		query                           url.Values
	}{
		{"all-reduce", "1GiB", "dgx-h100", "4", site.Ask{}, nil, nil},
		{"all-reduce", "8", "dgx-h100", "1", site.Ask{}, nil, nil},
		{"all-to-all", "100MB", "hgx-a100-4nic", "3", site.Ask{}, nil, nil},
		{"gather", "64MiB", "mi300x-8", "2", site.Ask{}, nil, nil},
		{"barrier", "0", "gb200-nvl72", "36", site.Ask{}, nil, nil},
		{"reduce-scatter", "256GiB", "srv-8xl40s", "2", site.Ask{}, nil, nil},
		{"all-reduce", "1.2GB", "dgx-h100", "8", site.Ask{NICs: 4, Rails: 2, Oversubscription: 2, InSwitch: site.Off}, []string{"--nics", "4", "--rails", "2", "--oversubscription", "2", "--in-switch", "off"},
			url.Values{"nics": {"4"}, "rails": {"2"}, "oversubscription": {"2"}, "in_switch": {"off"}}},
	} {
		name := c.nodes + " × " + c.system + ", " + c.collective + " of " + c.size
		status, out, errs := console(t, t.TempDir(), append([]string{"predict", "--collective", c.collective, "--size", c.size, "--system", c.system, "--nodes", c.nodes, "--json"}, c.flags...)...)
		var answer measured.Answer
		if err := json.Unmarshal([]byte(out), &answer); status != 0 || err != nil {
			t.Fatalf("%s: status %d, %v, %s", name, status, err, errs)
		}
		ask := c.ask
		ask.System = c.system
		if err := json.Unmarshal([]byte(c.nodes), &ask.Nodes); err != nil {
			t.Fatal(err)
		}
		study, err := desk.Study(ask, schedule.Collective(c.collective), answer.Size, site.Load{Gradients: unit.GiB})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var page bytes.Buffer
		if err := json.NewEncoder(&page).Encode(study.Answer); err != nil {
			t.Fatal(err)
		}
		if page.String() != out {
			t.Errorf("%s: the command prints\n%sthe page is made from\n%s", name, out, &page)
		}
		if p := study.Price; p.Time != answer.Time || p.Low != answer.Low || p.High != answer.High || p.Grade != answer.Grade {
			t.Errorf("%s: %+v beside %v, %v, %v, %s", name, p, answer.Time, answer.Low, answer.High, answer.Grade)
		}
		query := url.Values{"system": {c.system}, "nodes": {c.nodes}, "collective": {c.collective}, "size": {c.size}}
		for key, values := range c.query {
			query[key] = values
		}
		response, err := http.Get(base + "/en/size?" + query.Encode())
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if err != nil || response.Body.Close() != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v", name, response.StatusCode, err)
		}
		shown := html.UnescapeString(string(text))
		for _, time := range []unit.Seconds{answer.Time, answer.Low, answer.High} {
			number, _, _ := strings.Cut(time.String(), " ")
			if !strings.Contains(shown, number) {
				t.Errorf("%s: the page does not say %s", name, time)
			}
		}
	}
}

// served starts a console in this process until the test's end and returns its
// address.
func served(t *testing.T) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, said := io.Pipe()
	status := make(chan int, 1)
	var log bytes.Buffer // written by serve alone, read after its end
	go func() {
		status <- execute(ctx, []string{"serve", "--calibrate", "never", "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0"}, terminal{said, &log})
		_ = said.Close() // never fails
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("serve prints no address")
	}
	go func() {
		for lines.Scan() { // so that serve never waits
		}
	}()
	t.Cleanup(func() {
		stop()
		if got := <-status; got != 0 {
			t.Errorf("exit status %d, want 0\n%s", got, &log)
		}
	})
	address, _ := strings.CutPrefix(lines.Text(), "open ")
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return at.Scheme + "://" + at.Host
}
