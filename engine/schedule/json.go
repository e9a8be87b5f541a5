package schedule

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// document is the JSON form of a schedule as it is read; WriteJSON writes it.
// Its keys are a promise to other programs.
type document struct {
	Version      int        `json:"version"`
	Collective   Collective `json:"collective"`
	Algorithm    string     `json:"algorithm"`
	Ranks        int        `json:"ranks"`
	Root         *int       `json:"root,omitempty"`
	RanksPerNode int        `json:"ranks_per_node,omitempty"`
	Chunks       int        `json:"chunks"`
	TmpChunks    *int       `json:"tmp_chunks"`
	Rounds       *int       `json:"rounds,omitempty"`
	Hash         string     `json:"hash,omitempty"`
	Layout       string     `json:"layout,omitempty"`
	Phases       []phaseDoc `json:"phases"`
	Steps        []stepDoc  `json:"steps"`
	Traffic      *Traffic   `json:"traffic,omitempty"`
}

type phaseDoc struct {
	Key       string `json:"key"`
	First     int    `json:"first_round"`
	Last      int    `json:"last_round"`
	Invariant string `json:"invariant"`
}

type stepDoc struct {
	ID       *int   `json:"id"`
	Round    *int   `json:"round"`
	Src      *int   `json:"src,omitempty"`
	Srcs     []int  `json:"srcs,omitempty"`
	Dst      *int   `json:"dst,omitempty"`
	Dsts     []int  `json:"dsts,omitempty"`
	Op       string `json:"op"`
	SrcBuf   string `json:"src_buf"`
	SrcChunk *int   `json:"src_chunk"`
	DstBuf   string `json:"dst_buf"`
	DstChunk *int   `json:"dst_chunk"`
	Count    *int   `json:"count"`
	Deps     []int  `json:"deps"`
}

// MaxDocument bounds the JSON that Read accepts, in bytes.
const MaxDocument = 1 << 30

// Read reads a schedule document and checks it: the result is proved right.
// An error of form names the line; a *Fault names the step. A document
// without hash, rounds or traffic is accepted, one whose own do not fit its
// steps is not. Unknown keys are passed over.
func Read(r io.Reader) (*Schedule, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("read schedule: %w", err)
	}
	if len(text) > MaxDocument {
		return nil, fmt.Errorf("read schedule: larger than %d bytes", MaxDocument)
	}
	s, doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := Check(s); err != nil {
		return nil, err
	}
	if f := checkClaims(s, doc); f != nil {
		return nil, f
	}
	return s, nil
}

// parse reads the form only: nothing is checked that Check checks.
func parse(text []byte) (*Schedule, *document, error) {
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, nil, fmt.Errorf("read schedule: %w", locate(text, err))
	}
	if doc.Version != 1 {
		return nil, nil, general("version", "version %d; accepted: 1", doc.Version)
	}
	if doc.TmpChunks == nil {
		return nil, nil, general("tmp-chunks", "tmp_chunks is missing; it is 0 where no tmp is used")
	}
	s := &Schedule{
		Collective: doc.Collective, Algorithm: doc.Algorithm, Ranks: doc.Ranks, Root: NoRoot,
		RanksPerNode: doc.RanksPerNode, Chunks: doc.Chunks, TmpChunks: *doc.TmpChunks,
		Phases: make([]Phase, len(doc.Phases)), Steps: make([]Step, len(doc.Steps)),
	}
	if doc.Root != nil {
		if *doc.Root < 0 { // -1 would read as "none"
			return nil, nil, general("root", "root %d; accepted: 0 or more", *doc.Root)
		}
		s.Root = *doc.Root
	}
	if doc.Layout != "" {
		layout := find(layoutNames[:], doc.Layout)
		if layout < 0 {
			return nil, nil, general("layout", "unknown layout %q; accepted: %v", doc.Layout, layoutNames)
		}
		s.Layout = Layout(layout)
	}
	for i, p := range doc.Phases {
		invariant := find(invariantNames[:], p.Invariant)
		if invariant < 0 {
			return nil, nil, general("phases", "phase %q has the unknown invariant %q; accepted: %v", p.Key, p.Invariant, invariantNames[1:])
		}
		s.Phases[i] = Phase{p.Key, p.First, p.Last, Invariant(invariant)}
	}
	for i := range doc.Steps {
		if missing := doc.Steps[i].missing(); missing != "" {
			return nil, nil, general("shape", "step number %d of the list has no %s", i+1, missing)
		}
		if f := doc.Steps[i].into(&s.Steps[i]); f != nil {
			return nil, nil, f
		}
	}
	return s, &doc, nil
}

// missing names the first key that every step has and this one lacks.
func (d *stepDoc) missing() string {
	for _, number := range []struct {
		key   string
		value *int
	}{{"id", d.ID}, {"round", d.Round}, {"src_chunk", d.SrcChunk}, {"dst_chunk", d.DstChunk}, {"count", d.Count}} {
		if number.value == nil {
			return number.key
		}
	}
	if d.Deps == nil {
		return "deps; it is [] where there are none"
	}
	return ""
}

func (d *stepDoc) into(st *Step) *Fault {
	*st = Step{
		ID: *d.ID, Round: *d.Round, SrcChunk: *d.SrcChunk, DstChunk: *d.DstChunk,
		Count: *d.Count, Deps: d.Deps,
	}
	if st.ID < 0 || st.ID >= math.MaxInt32 {
		return atStep("id-order", st, -1, -1, "has an ID out of range; accepted: 0 to %d", math.MaxInt32-1)
	}
	op, src, dst := find(opNames[:], d.Op), find(bufNames[:], d.SrcBuf), find(bufNames[:], d.DstBuf)
	switch {
	case op < 0:
		return atStep("shape", st, -1, -1, "has the unknown op %q; accepted: %v", d.Op, opNames)
	case src < 0 || dst < 0:
		return atStep("shape", st, -1, -1, "has an unknown buffer (src_buf %q, dst_buf %q); accepted: %v", d.SrcBuf, d.DstBuf, bufNames)
	}
	st.Op, st.SrcBuf, st.DstBuf = Op(op), Buf(src), Buf(dst)
	if many := st.Op == NetReduce; many == (d.Src != nil) || many == (d.Srcs == nil) {
		return atStep("shape", st, -1, -1, "is a %s; net-reduce has srcs instead of src, the others have src only", st.Op)
	}
	if many := st.Op == Multicast; many == (d.Dst != nil) || many == (d.Dsts == nil) {
		return atStep("shape", st, -1, -1, "is a %s; multicast has dsts instead of dst, the others have dst only", st.Op)
	}
	switch st.Op {
	case NetReduce:
		st.Group = d.Srcs
	case Multicast:
		st.Group = d.Dsts
	}
	if d.Src != nil {
		st.Src = *d.Src
	}
	if d.Dst != nil {
		st.Dst = *d.Dst
	}
	return nil
}

// checkClaims holds what a document says of itself against its steps.
func checkClaims(s *Schedule, doc *document) *Fault {
	if rounds := s.Rounds(); doc.Rounds != nil && *doc.Rounds != rounds {
		return general("rounds", "the document says %d rounds, its steps make %d", *doc.Rounds, rounds)
	}
	if hash := s.Hash(); doc.Hash != "" && doc.Hash != hash {
		return general("hash", "the document's hash is %q, its steps have %s", doc.Hash, hash)
	}
	if doc.Traffic != nil {
		claimed, _ := json.Marshal(doc.Traffic)
		counted, _ := json.Marshal(s.Traffic())
		if !bytes.Equal(claimed, counted) {
			return general("traffic", "the document's traffic is not what its steps move: %s", counted)
		}
	}
	return nil
}

func find(names []string, word string) int {
	for i, n := range names {
		if n == word {
			return i
		}
	}
	return -1
}

// locate adds the line to an error of the JSON reader.
func locate(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset := int64(len(text))
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset, err = kind.Offset, fmt.Errorf("%s cannot be a %s", kind.Field, kind.Value)
	}
	line := 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
	return fmt.Errorf("line %d: %w", line, err)
}
