package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// document is the file about one link: a head, a table for each collective and
// number of ranks, and what went wrong.
type document struct {
	link               string
	console            string // its version
	mpiVersion         string // empty where it is not measured
	glooVersion        string
	algorithm          string
	partial            bool // not everything was asked for
	tables             []table
	problems           []error
	withoutMPI, noGloo error // why a peer is not measured
	unmeasured         error // the first failure of Lockstep itself
}

type table struct {
	group group
	rows  []row
}

func linkName(link string) string {
	if link == "shm" {
		return "shared memory"
	}
	return "TCP on loopback"
}

func (d document) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Collectives over %s: Lockstep beside Open MPI and Gloo\n\n", linkName(d.link))
	fmt.Fprintf(&b, "%s, Linux %s, %s, %s, Open MPI %s, Gloo %s. Written by `make bench`.\n\n", machine(), kernel(), runtime.Version(), d.console,
		orWhy(d.mpiVersion, d.withoutMPI), orWhy(d.glooVersion, d.noGloo))
	if d.partial {
		b.WriteString("Only a part of the table was asked for this time.\n\n")
	}
	fmt.Fprintf(&b, method, d.algorithm)
	if d.link == "shm" {
		b.WriteString(methodShared)
	} else {
		b.WriteString(methodTCP)
	}
	var mpi, gloo score
	for _, t := range d.tables {
		for _, r := range t.rows {
			_, v := r.mpiVerdict()
			mpi.add(v)
			gloo.add(r.glooVerdict())
		}
	}
	fmt.Fprintf(&b, "Goals met: %s to Open MPI, %s to Gloo.\n", mpi, gloo)
	for _, t := range d.tables {
		fmt.Fprintf(&b, "\n%s\n\n%s", t.group.title(), t.group.head())
		for _, r := range t.rows {
			b.WriteString(r.line())
		}
	}
	if d.problems != nil {
		b.WriteString("\n## Not measured\n\n")
		for _, err := range d.problems {
			fmt.Fprintf(&b, "- %s\n", oneLine(err))
		}
	}
	return b.String()
}

const method = `One process a rank, float32, sums where the collective reduces; bytes are the full buffer (all blocks together). Buffers are private to
the rank: none are registered or shared with the transport (memory of MPI_Alloc_mem and its like is not measured), and all three compare
every element of the result, and the peers of the input, after the timed part. Each program makes 20 uncounted iterations (3 above 4 MiB),
then a barrier before each counted one; an iteration's time is the maximum over ranks of their own elapsed time. Every program makes the same
number of iterations in a round; it is started anew for each round.

**Rounds** alternate Lockstep, Open MPI, Gloo. A time is the median over the rounds of a round's median; min is the fastest iteration of all. A
ratio is ours to the peer's, round by round: its median and its range. Below 1 Lockstep is faster.

**Placement** is what two processors need to exchange a cache line, probed before and after each program: below 120 ns they share a cache
(near), above they do not (far). Times of one placement do not compare with those of the other; a cell that saw both has a row for each. A
round during which it changed is repeated, after three tries it stands as changed and is not judged. Load is the 1-minute average at the
end of the cell; much above the number of ranks something else was running, and the row is worth little.

**Lockstep** is ` + "`console run`" + ` with algorithm %s, as anybody would call it; the algorithm that it took is in brackets.
**Open MPI** has its defaults on this link and its own binding: ranks are bound as long as there are processors for them. Its time is the best of
a plain call and, from 1 MiB on, of a caller that cuts the vector into slices (all-reduce, broadcast); of MPI_Reduce_scatter_block and
MPI_Reduce_scatter with equal counts for reduce-scatter. Its own tuning parameters were not searched.
**Gloo** has one transport for one machine, TCP, so its time is that of TCP in both files. Its time is the best of its algorithms (ring and bcube
for all-reduce) and of ranks left alone and bound to a processor. Its reduce-scatter works in place only; the input is restored outside the timed part.
A program that fails, or whose result is wrong, is left out of the cell from there on and named at the end.
A way more than half slower than the best in the first round of a cell is not tried again in that cell. In brackets is the way that was best.
Broadcast is in place at both peers: their root copies nothing, that of Lockstep copies its input to its output.

`

const methodShared = "Open MPI: pml ob1, btl vader (sm from version 5 on).\n\n"

const methodTCP = "Open MPI: pml ob1, btl tcp, on lo.\n\n"

func orWhy(version string, err error) string {
	if err != nil {
		return "not measured: " + oneLine(err)
	}
	return version
}

// oneLine shortens what programs say when they fail.
func oneLine(err error) string {
	const longest = 400
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " …"
	}
	return text
}

func kernel() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(text))
}
