package main

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"lockstep/engine/schedule"
)

// writeSchedule prints a schedule as a table: what every round does, step by
// step, and what holds after every phase.
func writeSchedule(w io.Writer, s *schedule.Schedule) error {
	out := bufio.NewWriter(w)
	traffic := s.Traffic()
	moved := 0
	for _, chunks := range traffic.Sent {
		moved += chunks
	}
	fmt.Fprintf(out, "%s, %s: %s, %s\n", title(s), counted(s.Chunks, "chunk"), counted(s.Rounds(), "round"), counted(traffic.Messages, "message"))
	fmt.Fprintf(out, "the busiest rank sends %s and receives %s; all together send %d\n", most(traffic.Sent), most(traffic.Received), moved)
	fmt.Fprintf(out, "%s\nhash %s\n\n", scratchNeed(s), s.Hash())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ROUND\tPHASE\tSTEPS")
	phase, rounds := 0, 0
	for i := 0; i < len(s.Steps); {
		end := i
		for end < len(s.Steps) && s.Steps[end].Round == s.Steps[i].Round {
			end++
		}
		key, now := "", ""
		for phase < len(s.Phases) && s.Phases[phase].Last < s.Steps[i].Round {
			phase++
		}
		if phase < len(s.Phases) {
			p := s.Phases[phase]
			if p.First == s.Steps[i].Round {
				key = p.Key
			}
			if p.Last == s.Steps[i].Round {
				now = holds(p.Invariant)
			}
		}
		r := sumRound(s.Steps[i:end])
		number := "-" // a round of local steps alone is not counted
		if r.messages > 0 {
			rounds++
			number = fmt.Sprint(rounds)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", number, key, r)
		rows := foldSteps(s, s.Steps[i:end])
		for at, row := range rows {
			if at == mostRows {
				fmt.Fprintf(table, "\t\t… and %d more lines; --format json has every step\n", len(rows)-at)
				break
			}
			fmt.Fprintf(table, "\t\t  %s\t%s\t%s\t%s\t%s\n", row.ranks, row.op, row.from, row.arrow, row.into)
		}
		if now != "" {
			fmt.Fprintf(table, "\t\tnow: %s\n", now)
		}
		i = end
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return out.Flush()
}

// mostRows bounds the lines of one round.
const mostRows = 40

// title says which schedule s is.
func title(s *schedule.Schedule) string {
	text := fmt.Sprintf("%s %s, %s", s.Collective, s.Algorithm, counted(s.Ranks, "rank"))
	if s.Root != schedule.NoRoot {
		text += fmt.Sprintf(", root %d", s.Root)
	}
	if s.RanksPerNode > 0 {
		text += fmt.Sprintf(", %d per node", s.RanksPerNode)
	}
	return text
}

func scratchNeed(s *schedule.Schedule) string {
	if s.TmpChunks == 0 {
		return "no tmp"
	}
	return fmt.Sprintf("tmp of %s on every rank", counted(s.TmpChunks, "chunk"))
}

func most(chunks []int) string {
	largest := 0
	for _, c := range chunks {
		largest = max(largest, c)
	}
	return counted(largest, "chunk")
}

// roundSum is what a round does in numbers.
type roundSum struct{ messages, chunks, local int }

func sumRound(steps []schedule.Step) roundSum {
	var sum roundSum
	pairs := map[[2]int]bool{}
	for i := range steps {
		step := &steps[i]
		switch {
		case step.Local():
			sum.local++
			continue
		case step.Op > schedule.Reduce:
			sum.messages++
		case !pairs[[2]int{step.Src, step.Dst}]:
			pairs[[2]int{step.Src, step.Dst}] = true
			sum.messages++
		}
		sum.chunks += step.Count
	}
	return sum
}

func (r roundSum) String() string {
	local := ""
	if r.local > 0 {
		local = counted(r.local, "local step")
	}
	if r.messages == 0 {
		return local
	}
	text := counted(r.messages, "message") + " of " + counted(r.chunks, "chunk") + " in all"
	if r.messages == 1 {
		text = counted(r.messages, "message") + " of " + counted(r.chunks, "chunk")
	}
	if local != "" {
		text += ", " + local
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func holds(i schedule.Invariant) string {
	switch i {
	case schedule.NoInvariant:
		return ""
	case schedule.RootHoldsAll:
		return "the root holds the complete result"
	case schedule.OwnBlock:
		return "rank r owns the complete block r"
	case schedule.EveryoneHolds:
		return "every rank holds the complete result"
	case schedule.LeadersHoldAll:
		return "every node's leader holds the complete result"
	case schedule.LeadersHoldNode:
		return "every node's leader holds what its node gave"
	case schedule.NodesHoldAll:
		return "the ranks of every node hold the complete result together"
	case schedule.TogetherHoldAll:
		return "all ranks together hold the complete result"
	}
	return i.String()
}
