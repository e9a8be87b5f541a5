package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"lockstep/engine/schedule"
)

type scheduleCommand struct {
	Print scheduleShow  `cmd:"" default:"withargs" help:"Print the schedule of a collective (the default)."`
	List  scheduleList  `cmd:"" help:"List every collective and algorithm with its limits and closed forms."`
	Check scheduleCheck `cmd:"" help:"Prove a schedule document right, or name the step that is wrong."`
}

type scheduleShow struct {
	Collective string `required:"" placeholder:"C" help:"Collective, such as all-reduce."`
	Algorithm  string `required:"" placeholder:"A" help:"Algorithm, such as ring; schedule list shows all."`
	Ranks      int    `required:"" placeholder:"N" help:"Number of ranks."`
	Chunks     *int   `placeholder:"K" help:"Pieces that a block or the vector is cut into."`
	Format     string `default:"text" placeholder:"text|json" help:"Form of the answer."`
}

func (c scheduleShow) Run(term terminal) error {
	if c.Format != "text" && c.Format != "json" {
		return usage("format", fmt.Errorf("unknown format %q; accepted: text, json", c.Format))
	}
	chunks, err := chunksFlag(c.Chunks)
	if err != nil {
		return err
	}
	s, err := schedule.Build(schedule.Request{
		Collective: schedule.Collective(c.Collective), Algorithm: c.Algorithm, Ranks: c.Ranks, Chunks: chunks,
	})
	if err != nil {
		return requestError(err)
	}
	if err := schedule.Check(s); err != nil {
		return failure{code: "check", err: fmt.Errorf("check %s/%s for %d ranks: %w", c.Collective, c.Algorithm, c.Ranks, err)}
	}
	if c.Format == "json" {
		return writeDocument(term.out, s)
	}
	return writeSchedule(term.out, s)
}

func writeDocument(w io.Writer, s *schedule.Schedule) error {
	if err := s.WriteJSON(w); err != nil {
		return fmt.Errorf("write the schedule: %w", err)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// chunksFlag reads --chunks, which cannot be 0 when it is given.
func chunksFlag(given *int) (int, error) {
	if given == nil {
		return 0, nil
	}
	if *given < 1 {
		return 0, usage("chunks", fmt.Errorf("%d chunks; accepted: 1 or more", *given))
	}
	return *given, nil
}

// requestError turns a refused request into an unusable argument.
func requestError(err error) error {
	var bad *schedule.RequestError
	if errors.As(err, &bad) {
		return usage(bad.Field, bad)
	}
	return err
}

// writeSchedule prints the rounds as a person reads them aloud.
func writeSchedule(w io.Writer, s *schedule.Schedule) error {
	out := bufio.NewWriter(w)
	traffic := s.Traffic()
	fmt.Fprintf(out, "%s %s, %d ranks, %d chunks: %d rounds, %d messages\n", s.Collective, s.Algorithm, s.Ranks, s.Chunks, s.Rounds(), traffic.Messages)
	fmt.Fprintf(out, "the busiest rank sends %s and receives %s of the %d chunks\n", most(traffic.Sent), most(traffic.Received), s.Chunks)
	fmt.Fprintf(out, "hash %s\n", s.Hash())
	phase, counted := 0, 0
	for i := 0; i < len(s.Steps); {
		round := s.Steps[i].Round
		for phase < len(s.Phases) && s.Phases[phase].First <= round {
			fmt.Fprintf(out, "\n%s\n", s.Phases[phase].Key)
			phase++
		}
		end, local := i, true
		for ; end < len(s.Steps) && s.Steps[end].Round == round; end++ {
			local = local && s.Steps[end].Local()
		}
		if local {
			fmt.Fprintf(out, "  local\n")
		} else {
			counted++
			fmt.Fprintf(out, "  round %d\n", counted)
		}
		for ; i < end; i++ {
			fmt.Fprintf(out, "    %s\n", describe(&s.Steps[i]))
		}
		for phase > 0 && s.Phases[phase-1].Last == round && s.Phases[phase-1].Invariant != schedule.NoInvariant {
			fmt.Fprintf(out, "  now: %s\n", holds(s.Phases[phase-1].Invariant))
			break
		}
	}
	return out.Flush()
}

func most(chunks []int) string {
	largest := 0
	for _, c := range chunks {
		largest = max(largest, c)
	}
	return fmt.Sprint(largest)
}

func describe(step *schedule.Step) string {
	verb := map[schedule.Op]string{schedule.Copy: "->", schedule.Reduce: "+>", schedule.Multicast: "=>", schedule.NetReduce: "&>"}[step.Op]
	return fmt.Sprintf("%s.%s[%s] %s %s.%s[%s]", ranks(step.Sources()), step.SrcBuf, chunkRange(step.SrcChunk, step.Count),
		verb, ranks(step.Destinations()), step.DstBuf, chunkRange(step.DstChunk, step.Count))
}

func ranks(list []int) string {
	if len(list) == 1 {
		return fmt.Sprint(list[0])
	}
	return fmt.Sprint(list)
}

func chunkRange(first, count int) string {
	if count == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d..%d", first, first+count-1)
}

func holds(i schedule.Invariant) string {
	switch i {
	case schedule.RootHoldsAll:
		return "the root holds the complete result"
	case schedule.OwnBlock:
		return "rank r owns the complete block r"
	}
	return "every rank holds the complete result"
}

type scheduleList struct {
	JSON bool `name:"json" help:"One JSON document."`
}

func (c scheduleList) Run(term terminal) error {
	if c.JSON {
		return json.NewEncoder(term.out).Encode(schedule.List())
	}
	table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COLLECTIVE\tALGORITHM\tRANKS\tROUNDS\tMESSAGES\tSENT BY BUSIEST\tRECEIVED BY BUSIEST")
	for _, e := range schedule.Catalog() {
		fmt.Fprintf(table, "%s\t%s\t%d–%d\t%s\t%s\t%s\t%s\n", e.Collective, e.Algorithm, e.MinRanks, e.MaxRanks, e.Rounds, e.Messages, e.Sent, e.Received)
	}
	return table.Flush()
}

type scheduleCheck struct {
	File string `arg:"" help:"Schedule document (JSON); - reads standard input."`
	JSON bool   `name:"json" help:"One JSON document, also of an error."`
}

func (c scheduleCheck) Run(term terminal) error {
	in := io.Reader(os.Stdin)
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return usageError{field: "file", message: err.Error()}
		}
		defer f.Close()
		if at, err := f.Stat(); err == nil && at.IsDir() {
			return usageError{field: "file", message: c.File + " is a folder; accepted: a schedule document, or - for standard input"}
		}
		in = f
	}
	s, err := schedule.Read(in)
	var fault *schedule.Fault
	switch {
	case errors.As(err, &fault):
		return failure{code: fault.Code, err: fmt.Errorf("%s: %w", c.File, err)}
	case err != nil:
		return failure{code: "unreadable", err: fmt.Errorf("%s: %w", c.File, err)}
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(map[string]any{
			"version": 1, "proved": true, "collective": s.Collective, "algorithm": s.Algorithm, "ranks": s.Ranks,
			"steps": len(s.Steps), "rounds": s.Rounds(), "hash": s.Hash(),
		})
	}
	_, err = fmt.Fprintf(term.out, "proved: %s %s, %d ranks, %d steps in %d rounds; hash %s\n",
		s.Collective, s.Algorithm, s.Ranks, len(s.Steps), s.Rounds(), s.Hash())
	return err
}
