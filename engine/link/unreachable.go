package link

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"
)

// UnreachableError is Connect's error where this rank cannot reach others.
type UnreachableError struct {
	Edges []UnreachableEdge // one for each pair of ranks, at least one
}

// UnreachableEdge is an edge that cannot be built.
type UnreachableEdge struct {
	Src, Dst int
	From     string // the host that Src is on
	Address  string // that Src has dialled
	Err      error  // why
}

// Error says which ranks this rank cannot reach, and why.
func (e *UnreachableError) Error() string {
	const most = 4
	var lines []string
	for _, edge := range e.Edges[:min(len(e.Edges), most)] {
		lines = append(lines, edge.String())
	}
	if more := len(e.Edges) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "; ")
}

// Unwrap returns the reasons.
func (e *UnreachableError) Unwrap() []error {
	errs := make([]error, len(e.Edges))
	for i, edge := range e.Edges {
		errs[i] = edge.Err
	}
	return errs
}

func (e UnreachableEdge) String() string {
	return fmt.Sprintf("rank %d on %s cannot reach rank %d at %s: %v", e.Src, e.From, e.Dst, e.Address, e.Err)
}

// add enters an edge, unless another lane of the same two ranks is there.
func (e *UnreachableError) add(edge UnreachableEdge) {
	if !slices.ContainsFunc(e.Edges, func(o UnreachableEdge) bool { return o.Src == edge.Src && o.Dst == edge.Dst }) {
		e.Edges = append(e.Edges, edge)
	}
}

// refusal puts into words why a call failed. What the system says stays in the
// chain.
func refusal(err error, within time.Duration) error {
	var errno syscall.Errno
	switch {
	case isTimeout(err):
		return &noAnswer{within, err}
	case errors.As(err, &errno):
		return errno
	}
	return err
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// noAnswer is the error of a call that nobody has answered.
type noAnswer struct {
	within time.Duration
	err    error
}

func (e *noAnswer) Error() string { return "no answer within " + seconds(e.within) }
func (e *noAnswer) Unwrap() error { return e.err }

// seconds writes a duration for people.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3g s", d.Seconds()) }
