package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/schedule/msccl"
	"lockstep/views/locale"
	"lockstep/web/present"
)

type scheduleShow struct {
	Collective string `required:"" placeholder:"C" help:"Collective, such as all-reduce."`
	Algorithm  string `required:"" placeholder:"A" help:"Algorithm, such as ring; schedule list shows all."`
	Ranks      int    `required:"" placeholder:"N" help:"Number of ranks."`
	Root       int    `placeholder:"R" help:"Root of broadcast, reduce, scatter and gather (default: 0)."`
	PerNode    *int   `name:"ranks-per-node" placeholder:"G" help:"Ranks of a node, for hierarchical algorithms (default: two nodes)."`
	Chunks     *int   `placeholder:"K" help:"Pieces that a block or the vector is cut into."`
	Format     string `default:"text" placeholder:"text|json|svg|msccl-xml" help:"Form of the answer (default: text)."`
}

// scheduleFormats are the forms in which a schedule is printed.
var scheduleFormats = []struct {
	name  string
	write func(io.Writer, *schedule.Schedule) error
}{
	{"text", writeSchedule},
	{"json", writeDocument},
	{"svg", writePicture},
	{"msccl-xml", writeMSCCL},
}

func (c scheduleShow) Run(term terminal) error {
	var names []string
	for _, f := range scheduleFormats {
		names = append(names, f.name)
	}
	format := slices.Index(names, c.Format)
	if format < 0 {
		return usage("format", fmt.Errorf("unknown format %q; accepted: %s", c.Format, strings.Join(names, ", ")))
	}
	chunks, err := chunksFlag(c.Chunks)
	if err != nil {
		return err
	}
	perNode, err := perNodeFlag(c.PerNode)
	if err != nil {
		return err
	}
	s, err := schedule.Build(schedule.Request{
		Collective: schedule.Collective(c.Collective), Algorithm: c.Algorithm, Ranks: c.Ranks,
		Root: c.Root, RanksPerNode: perNode, Chunks: chunks,
	})
	if err != nil {
		return requestError(err)
	}
	if err := schedule.Check(s); err != nil {
		return failure{code: "check", err: fmt.Errorf("check %s/%s for %d ranks: %w", c.Collective, c.Algorithm, c.Ranks, err)}
	}
	return scheduleFormats[format].write(term.out, s)
}

func writeDocument(w io.Writer, s *schedule.Schedule) error {
	if err := s.WriteJSON(w); err != nil {
		return fmt.Errorf("write the schedule: %w", err)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func writePicture(w io.Writer, s *schedule.Schedule) error {
	texts, err := locale.Load()
	if err != nil {
		return err
	}
	english, _ := texts.In(locale.English)
	_, err = fmt.Fprintln(w, present.SchedulePicture(english, s, "Lockstep "+buildVersion()))
	return err
}

// writeMSCCL refuses what the format has no words for as an unusable --format.
func writeMSCCL(w io.Writer, s *schedule.Schedule) error {
	if err := msccl.Exportable(s); err != nil {
		return usage("format", err)
	}
	return msccl.Export(w, s)
}
