package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// cell is a row of a table: one collective of one size.
type cell struct {
	collective string
	link       string // shm or tcp
	ranks      int
	size       int64 // bytes of the full buffer
}

func (c cell) String() string {
	return fmt.Sprintf("%s, %s, %d ranks, %s", c.collective, c.link, c.ranks, bytesText(c.size))
}

// repeats is how often a collective is carried out in one start of a program.
type repeats struct {
	warmups    int // uncounted, before
	iterations int // counted
}

// repeats has the uncounted iterations that console run makes at that size; the
// peers make as many.
func (c cell) repeats() repeats {
	if c.size <= 4<<20 {
		return repeats{20, c.iterations()}
	}
	return repeats{3, c.iterations()}
}

// iterations are as many as the process start that comes before them is worth.
// More than two ranks share the processors and are far slower.
func (c cell) iterations() int {
	type row struct {
		upTo          int64
		alone, shared int
	}
	for _, r := range []row{{64 << 10, 500, 100}, {256 << 10, 200, 60}, {1 << 20, 100, 40}, {4 << 20, 40, 20}, {16 << 20, 12, 8}} {
		if c.size <= r.upTo {
			if c.ranks > 2 {
				return r.shared
			}
			return r.alone
		}
	}
	return 5
}

// blocks says whether the size counts one block for every rank.
func blocks(collective string) bool {
	return collective == "all-gather" || collective == "reduce-scatter" || collective == "all-to-all"
}

// selection is what is measured.
type selection struct {
	collectives, links []string
	ranks              []int
	sizes              []int64
}

func everything() selection {
	return selection{
		collectives: []string{"all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all"},
		links:       []string{"shm", "tcp"},
		ranks:       []int{2, 4},
		sizes:       []int64{8, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20},
	}
}

// quick is enough to see in about a minute that everything works.
func quick() selection {
	return selection{
		collectives: everything().collectives,
		links:       everything().links,
		ranks:       []int{2},
		sizes:       []int64{8, 64 << 10, 1 << 20},
	}
}

const (
	elementBytes = 4 // of float32
	mostRanks    = 64
	mostBytes    = 1 << 30 // the peers count elements of a call in an int
)

// narrow replaces what a list names; an empty list leaves it as it is.
func (s selection) narrow(collectives, links, ranks, sizes string) (selection, error) {
	var failed []error
	choose := func(flag, list string, from []string) []string {
		if list == "" {
			return from
		}
		words := strings.Split(list, ",")
		for _, w := range words {
			if !slices.Contains(from, w) {
				failed = append(failed, fmt.Errorf("-%s: unknown %q; accepted: %s", flag, w, strings.Join(from, ", ")))
			}
		}
		return words
	}
	s.collectives = choose("collectives", collectives, everything().collectives)
	s.links = choose("links", links, everything().links)
	if ranks != "" {
		s.ranks = nil
		for w := range strings.SplitSeq(ranks, ",") {
			n, err := strconv.Atoi(w)
			if err != nil || n < 2 || n > mostRanks {
				failed = append(failed, fmt.Errorf("-ranks: unusable %q; accepted: 2 to %d", w, mostRanks))
			}
			s.ranks = append(s.ranks, n)
		}
	}
	if sizes != "" {
		s.sizes = nil
		for w := range strings.SplitSeq(sizes, ",") {
			n, err := parseBytes(w)
			if err != nil {
				failed = append(failed, fmt.Errorf("-sizes: %w", err))
			}
			s.sizes = append(s.sizes, n)
		}
	}
	return s, errors.Join(failed...)
}

// parseBytes reads 8, 64KiB or 1MiB.
func parseBytes(word string) (int64, error) {
	number, shift := word, 0
	for i, suffix := range []string{"KiB", "MiB"} {
		if n, ok := strings.CutSuffix(word, suffix); ok {
			number, shift = n, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if n <<= shift; err != nil || n < elementBytes || n > mostBytes || n%elementBytes != 0 {
		return 0, fmt.Errorf("unusable %q; accepted: a multiple of %d such as 8, 64KiB or 1MiB, to %d MiB", word, elementBytes, mostBytes>>20)
	}
	return n, nil
}

// group holds the cells of one table.
type group struct {
	collective, link string
	ranks            int
	cells            []cell
}

// groups are the tables of a link in their order. A size too small for one
// element a block becomes the smallest that is not, and any other that ranks do
// not divide the next below that they do.
func (s selection) groups(link string) (all []group) {
	for _, collective := range s.collectives {
		for _, ranks := range s.ranks {
			g := group{collective: collective, link: link, ranks: ranks}
			for _, size := range s.sizes {
				if whole := int64(ranks * elementBytes); blocks(collective) {
					size = max(whole, size-size%whole)
				}
				if c := (cell{collective, link, ranks, size}); !slices.Contains(g.cells, c) {
					g.cells = append(g.cells, c)
				}
			}
			all = append(all, g)
		}
	}
	return all
}
