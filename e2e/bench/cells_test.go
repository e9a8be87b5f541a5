package main

import (
	"slices"
	"strings"
	"testing"
)

func TestNarrow(t *testing.T) {
	got, err := everything().narrow("broadcast,all-reduce", "tcp", "3", "8,64KiB,1MiB")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.collectives, []string{"broadcast", "all-reduce"}) || !slices.Equal(got.links, []string{"tcp"}) ||
		!slices.Equal(got.ranks, []int{3}) || !slices.Equal(got.sizes, []int64{8, 64 << 10, 1 << 20}) {
		t.Errorf("narrowed to %+v", got)
	}
	if got, err := quick().narrow("", "", "", ""); err != nil || len(got.sizes) != len(quick().sizes) {
		t.Errorf("nothing to narrow: %+v, %v", got, err)
	}
}

func TestNarrowRefuses(t *testing.T) {
	_, err := everything().narrow("allreduce", "udp", "1", "6,8kB")
	if err == nil {
		t.Fatal("took what nobody can measure")
	}
	for _, want := range []string{
		`-collectives: unknown "allreduce"; accepted: all-reduce, all-gather`,
		`-links: unknown "udp"; accepted: shm, tcp`,
		`-ranks: unusable "1"; accepted: 2 to 64`,
		`-sizes: unusable "6"; accepted: a multiple of 4`,
		`-sizes: unusable "8kB"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for word, want := range map[string]int64{"4": 4, "1024": 1024, "64KiB": 64 << 10, "1024MiB": 1 << 30} {
		if got, err := parseBytes(word); err != nil || got != want {
			t.Errorf("parseBytes(%q) = %d, %v; want %d", word, got, err, want)
		}
	}
	for _, word := range []string{"", "0", "-8", "3", "1025MiB", "KiB", "1.5MiB", "2147483647MiB", "99999999999999999999"} {
		if got, err := parseBytes(word); err == nil {
			t.Errorf("parseBytes(%q) = %d, no error", word, got)
		}
	}
}

// A block of every rank holds one element at least, and all are equal.
func TestGroupsFitBlocks(t *testing.T) {
	s, err := everything().narrow("all-reduce,all-gather", "", "2,3", "4,8,12,64KiB")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]int64{
		"## all-reduce, 2 ranks": {4, 8, 12, 65536}, "## all-gather, 2 ranks": {8, 65536},
		"## all-reduce, 3 ranks": {4, 8, 12, 65536}, "## all-gather, 3 ranks": {12, 65532},
	}
	groups := s.groups("tcp")
	if len(groups) != len(want) {
		t.Fatalf("%d groups, want %d", len(groups), len(want))
	}
	for _, g := range groups {
		var sizes []int64
		for _, c := range g.cells {
			sizes = append(sizes, c.size)
			if c.link != "tcp" || c.ranks != g.ranks || c.collective != g.collective {
				t.Errorf("%s holds %s", g.title(), c)
			}
		}
		if !slices.Equal(sizes, want[g.title()]) {
			t.Errorf("%s: sizes %v, want %v", g.title(), sizes, want[g.title()])
		}
	}
}

func TestIterationsFallWithSize(t *testing.T) {
	for _, ranks := range []int{2, 4} {
		last := 1 << 30
		for _, size := range everything().sizes {
			n := cell{"all-reduce", "tcp", ranks, size}.iterations()
			if n > last || n < 5 {
				t.Errorf("%d iterations of %s, %d ranks", n, bytesText(size), ranks)
			}
			last = n
		}
	}
	if a, b := (cell{size: 4 << 20}).repeats().warmups, (cell{size: 4<<20 + 4}).repeats().warmups; a != 20 || b != 3 {
		t.Errorf("%d and %d warm-ups about 4 MiB; want 20 and 3, as console run makes", a, b)
	}
}

func TestGoals(t *testing.T) {
	for _, c := range []struct {
		cell   cell
		goal   float64
		exists bool
	}{
		{cell{"all-reduce", "shm", 2, 64 << 10}, 0.3, true},
		{cell{"all-reduce", "shm", 2, 16 << 10}, 0, false},
		{cell{"all-reduce", "tcp", 2, 1 << 20}, 0.85, true},
		{cell{"all-reduce", "shm", 4, 4 << 10}, 0.7, true},
		{cell{"all-reduce", "tcp", 4, 8}, 0.9, true},
		{cell{"all-reduce", "tcp", 8, 8}, 0, false},
		{cell{"broadcast", "tcp", 2, 8}, 0, false},
	} {
		if goal, exists := goalToMPI(c.cell); goal != c.goal || exists != c.exists {
			t.Errorf("goal of %s is %v, %v; want %v, %v", c.cell, goal, exists, c.goal, c.exists)
		}
	}
}
