package main

import (
	"errors"
	"strings"
	"testing"
)

func roundOf(place placement, exchange float64, us, mpi, other sample) round {
	return round{place: place, exchange: exchange, samples: [programs]sample{ours: us, openMPI: mpi, gloo: other}}
}

func used(how string, seconds float64) sample {
	return sample{how: how, median: seconds, fastest: seconds * 0.9}
}

// Ratios are taken round by round, and never across placements.
func TestRowsByPlacement(t *testing.T) {
	c := cell{"all-reduce", "shm", 2, 1 << 20}
	rows := rowsOf(c, "0.50", []round{
		roundOf(near, 45, used("ring", 50e-6), used("", 100e-6), used("ring", 500e-6)),
		roundOf(far, 390, used("ring", 80e-6), used("", 580e-6), used("ring", 500e-6)),
		roundOf(near, 47, used("direct", 60e-6), used("32 slices", 150e-6), used("ring", 500e-6)),
		roundOf(changed, 200, used("direct", 90e-6), used("", 100e-6), sample{err: errors.New("gone")}),
		roundOf(near, 43, used("ring", 70e-6), used("", 140e-6), sample{err: errors.New("gone")}),
	})
	var text strings.Builder
	for _, r := range rows {
		text.WriteString(r.line())
	}
	const want = "| 1 MiB | near, 45 ns | 3 | 140 us (plain or 32 slices) | 90.0 us | 500 us (ring) | 450 us | 60.0 us (ring or direct) | 45.0 us | **0.50** (0.40–0.50) | ≤ 0.5 met | **0.11** (0.10–0.12) | ≤ 0.5 met | 0.50 |\n" +
		"| 1 MiB | far, 390 ns | 1 | 580 us | 522 us | 500 us (ring) | 450 us | 80.0 us (ring) | 72.0 us | **0.14** (0.14–0.14) | ≤ 0.5 met | **0.16** (0.16–0.16) | ≤ 0.5 met | 0.50 |\n" +
		"| 1 MiB | changed, 200 ns | 1 | 100 us | 90.0 us |  |  | 90.0 us (direct) | 81.0 us | **0.90** (0.90–0.90) | ≤ 0.5 |  | ≤ 0.5 | 0.50 |\n"
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	head, _, _ := strings.Cut(group{link: "shm"}.head(), "\n")
	if !strings.Contains(head, "| Gloo (tcp) |") {
		t.Errorf("the head does not say which way Gloo takes: %s", head)
	}
	columns := strings.Count(head, "|")
	for line := range strings.Lines(text.String()) {
		if strings.Count(line, "|") != columns {
			t.Errorf("the head has %d bars, not so %q", columns, line)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		ratio, goal float64
		place       placement
		want        verdict
	}{
		{0.5, 0.5, near, met}, {0.51, 0.5, far, missed}, {0.1, 0.5, changed, none}, {0, 0.5, near, none}, {0.1, 0, near, none}, {0.1, 0.5, unknown, met},
	} {
		if got := judge(ratio{median: c.ratio}, c.goal, c.place); got != c.want {
			t.Errorf("judge(%v, %v, %s) = %d, want %d", c.ratio, c.goal, c.place, got, c.want)
		}
	}
}

func TestDocument(t *testing.T) {
	c := cell{"all-reduce", "shm", 2, 64 << 20}
	slow := roundOf(near, 45, used("ring", 9), used("", 10), used("ring", 10))
	d := document{link: "shm", console: "lockstep test", mpiVersion: "4.1.4", noGloo: errors.New("build the Gloo peer:\nno header"), algorithm: "auto", partial: true,
		tables: []table{{group{"all-reduce", "shm", 2, []cell{c}}, rowsOf(c, "0.10", []round{slow})}}, problems: []error{errors.New("Gloo, somewhere:\nwrong result")}}
	text := d.String()
	for _, want := range []string{
		"# Collectives over shared memory: Lockstep beside Open MPI and Gloo\n",
		"lockstep test, Open MPI 4.1.4, Gloo not measured: build the Gloo peer: no header. Written by `make bench`.\n",
		"Only a part of the table was asked for", "with algorithm auto,", "btl vader",
		"Goals met: 0 of 1 to Open MPI, 0 of 1 to Gloo.\n",
		"\n## all-reduce, 2 ranks\n\n| bytes |", "**0.90** (0.90–0.90) | ≤ 0.7 **missed** |",
		"\n## Not measured\n\n- Gloo, somewhere: wrong result\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "%!") {
		t.Errorf("a verb without its value:\n%s", text)
	}
}

func TestOneLine(t *testing.T) {
	if got := oneLine(errors.New(strings.Repeat("é", 400))); len(got) > 404 || !strings.HasSuffix(got, "é …") {
		t.Errorf("shortened to %d bytes: %q", len(got), got)
	}
}

func TestFigures(t *testing.T) {
	for seconds, want := range map[float64]string{0.13e-6: "0.13 us", 8.64e-6: "8.64 us", 51.23e-6: "51.2 us", 137e-6: "137 us", 2.495e-3: "2.50 ms", 0.0164: "16.4 ms"} {
		if got := duration(seconds); got != want {
			t.Errorf("duration(%v) = %s, want %s", seconds, got, want)
		}
	}
	for b, want := range map[int64]string{8: "8 B", 65532: "65532 B", 64 << 10: "64 KiB", 1 << 20: "1 MiB", 1<<20 + 1024: "1025 KiB"} {
		if got := bytesText(b); got != want {
			t.Errorf("bytesText(%d) = %s, want %s", b, got, want)
		}
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("median %v", got)
	}
	for v, want := range map[float64]string{0.00131: "0.0013", 0.0456: "0.046", 0.37: "0.37", 15.56: "15.56"} {
		if got := ratioText(v); got != want {
			t.Errorf("ratioText(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestEventsTable(t *testing.T) {
	pair := func(place placement, with, without float64) eventsPair {
		return eventsPair{place: place, with: took(with), without: took(without), events: 7, load: "0.20"}
	}
	got := eventsTable([]eventsPair{pair(near, 102e-6, 100e-6), pair(far, 300e-6, 200e-6), pair(near, 104e-6, 100e-6)})
	const want = "| placement | pairs | without | min | with | min | ratio | events of a run | load |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" +
		"| near | 2 | 100 us | 50.0 us | 103 us | 51.0 us | **1.030** (1.020–1.040) | 7 | 0.20 |\n" +
		"| far | 1 | 200 us | 100 us | 300 us | 150 us | **1.500** (1.500–1.500) | 7 | 0.20 |\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
