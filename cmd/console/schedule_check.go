package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"lockstep/engine/schedule"
	"lockstep/engine/schedule/msccl"
)

type scheduleCheck struct {
	File string `arg:"" help:"Schedule (JSON or MSCCL XML); - reads standard input."`
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
			return usageError{field: "file", message: c.File + " is a folder; accepted: a schedule (JSON or MSCCL XML), or - for standard input"}
		}
		in = f
	}
	s, err := readDocument(in)
	var fault *schedule.Fault
	var bad *msccl.Error
	switch {
	case errors.As(err, &fault):
		return failure{code: fault.Code, err: fmt.Errorf("%s: %w", c.File, err)}
	case errors.As(err, &bad) && bad.Code != msccl.Unreadable:
		return failure{code: bad.Code, err: fmt.Errorf("%s: %w", c.File, err)}
	case err != nil:
		return usageError{field: "file", message: c.File + ": " + err.Error()}
	}
	messages := s.Traffic().Messages
	if c.JSON {
		document := map[string]any{
			"version": 1, "proved": true, "collective": s.Collective, "algorithm": s.Algorithm, "ranks": s.Ranks,
			"chunks": s.Chunks, "steps": len(s.Steps), "rounds": s.Rounds(), "messages": messages, "hash": s.Hash(),
		}
		if s.Root != schedule.NoRoot {
			document["root"] = s.Root
		}
		return json.NewEncoder(term.out).Encode(document)
	}
	_, err = fmt.Fprintf(term.out, "proved: %s, %s in %s, %s; hash %s\n",
		title(s), counted(len(s.Steps), "step"), counted(s.Rounds(), "round"), counted(messages, "message"), s.Hash())
	return err
}

// readDocument reads and proves a schedule in one of the forms that there are,
// told apart by the first byte that is not blank.
func readDocument(r io.Reader) (*schedule.Schedule, error) {
	in := bufio.NewReader(r)
	for at := 1; ; at++ {
		text, err := in.Peek(at) // what is blank is left for the reader, who counts lines
		switch {
		case len(text) < at && errors.Is(err, io.EOF):
			return nil, errors.New("line 1: the file is empty; accepted: a schedule (JSON or MSCCL XML)")
		case len(text) < at && errors.Is(err, bufio.ErrBufferFull):
			return nil, errors.New("line 1: the file begins with more than 4,000 blanks; accepted: a schedule (JSON or MSCCL XML)")
		case len(text) < at:
			return nil, err
		}
		switch first := text[at-1]; first {
		case ' ', '\t', '\r', '\n':
		case '<':
			return msccl.Import(in)
		case '{':
			return schedule.Read(in)
		default:
			return nil, fmt.Errorf("the file begins with %q; accepted: { of JSON or < of MSCCL XML", rune(first))
		}
	}
}
