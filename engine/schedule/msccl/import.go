package msccl

import (
	"errors"
	"fmt"
	"io"

	"lockstep/engine/schedule"
)

// Import reads a file and proves it: what it returns has passed
// schedule.Check, with our own ids and rounds where the file has them.
//
// Of a file without them the steps are put into one order that it allows; they
// get rounds by the longest chain that leads to them, where messages of one
// thread block to one peer keep a round each. What a file does in place or in
// its i is done in out or tmp. Two steps that touch the same chunk without the
// file saying which comes first are taken in one of the orders, which the
// schedule then prescribes.
//
// An *Error says what is wrong with the file and on which line. A
// *schedule.Fault, wrapped with the line of its step, says that the steps do
// not add up to the collective.
func Import(r io.Reader) (*schedule.Schedule, error) {
	a, err := read(r)
	if err != nil {
		return nil, err
	}
	if bad := a.match(); bad != nil {
		return nil, bad
	}
	order, bad := a.order()
	if bad != nil {
		return nil, bad
	}
	s := &schedule.Schedule{Collective: a.collective, Algorithm: a.name, Ranks: a.ranks, Root: a.root, Chunks: a.chunks}
	var lines []int32
	if a.ours() {
		lines, bad = a.restore(s)
	} else {
		lines, bad = a.translate(s, order)
	}
	if bad != nil {
		return nil, bad
	}
	if err := schedule.Assemble(s); err != nil {
		var fault *schedule.Fault
		if errors.As(err, &fault) && fault.Step >= 0 {
			if i := s.Index(fault.Step); i >= 0 {
				return nil, fmt.Errorf("line %d: %w", lines[i], err)
			}
		}
		return nil, err
	}
	return s, nil
}
