package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// cellBudget keeps the whole table to some 25 minutes on two processors.
const cellBudget = 10 * time.Second

// measureCollectives measures the selection, prints the tables as they grow and
// writes a file for each link into out, unless out is empty. The error says
// where Lockstep itself failed; the rest is measured and written all the same.
func measureCollectives(ctx context.Context, p console, scratch, out string, s selection, rounds int, partial bool) error {
	version, err := p.version(ctx)
	if err != nil {
		return fmt.Errorf("ask the console for its version: %w", err)
	}
	mpi, withoutMPI := buildOpenMPI(ctx, sources, scratch)
	other, noGloo := buildGloo(ctx, sources, scratch)
	if withoutMPI != nil && noGloo != nil {
		return errors.Join(withoutMPI, noGloo)
	}
	fmt.Fprintf(os.Stderr, "the load is %s before anything is measured; on a busy machine the figures are worth little\n", load())
	b := contest{rounds: rounds, budget: cellBudget, probe: probe, now: time.Now}
	b.programs[ours] = p
	var mpiVersion, glooVersion string
	if withoutMPI == nil {
		b.programs[openMPI], mpiVersion = mpi, mpi.version
	}
	if noGloo == nil {
		b.programs[gloo], glooVersion = other, other.version
	}
	var failed []error
	for _, link := range s.links {
		if err := p.has(ctx, link); errors.Is(err, errNoLink) {
			fmt.Printf("%v: not measured\n", err)
			continue
		} else if err != nil {
			return err
		}
		d := document{link: link, console: version, mpiVersion: mpiVersion, glooVersion: glooVersion, algorithm: p.algorithm,
			partial: partial, withoutMPI: withoutMPI, noGloo: noGloo}
		if err := b.measure(ctx, &d, s); err != nil {
			return err
		}
		if err := write(out, "collectives-"+link+".md", d.String()); err != nil {
			return err
		}
		failed = append(failed, d.unmeasured)
	}
	return errors.Join(failed...)
}

// measure fills the document's tables.
func (b contest) measure(ctx context.Context, d *document, s selection) error {
	groups, done, all := s.groups(d.link), 0, 0
	for _, g := range groups {
		all += len(g.cells)
	}
	begun := time.Now()
	for _, g := range groups {
		t := table{group: g}
		fmt.Printf("\n%s, %s\n\n%s", g.title(), linkName(g.link), g.head())
		for _, c := range g.cells {
			played, err := b.play(ctx, c)
			if err != nil {
				return err
			}
			for _, err := range problems(played) {
				fmt.Fprintln(os.Stderr, "bench:", err)
				d.problems = append(d.problems, err)
			}
			if err := played[len(played)-1].samples[ours].err; err != nil && d.unmeasured == nil {
				d.unmeasured = err
			}
			for _, r := range rowsOf(c, load(), played) {
				t.rows = append(t.rows, r)
				fmt.Print(r.line())
			}
			done++
		}
		d.tables = append(d.tables, t)
		took := time.Since(begun)
		fmt.Fprintf(os.Stderr, "%s: %d of %d cells, about %s left\n", d.link, done, all,
			(took / time.Duration(done) * time.Duration(all-done)).Round(time.Second))
	}
	return nil
}

// sources is where the peers' programs are, seen from the root of the project.
const sources = "e2e/bench/peers"

// write puts a file into the folder out, or nowhere if out is empty.
func write(out, name, text string) error {
	if out == "" {
		return nil
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(out, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Println("wrote", path)
	return nil
}
