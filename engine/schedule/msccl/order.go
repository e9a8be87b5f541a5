package msccl

import (
	"fmt"
	"strings"
)

// order returns the steps in an order that the file allows: each behind the
// step before it in its thread block, the one it waits for, and the one that
// sends what it receives. Where the file leaves a choice, the step that could
// run first comes first. Steps that wait for each other are an error.
func (a *algo) order() ([]int32, *Error) {
	waits := make([]int8, len(a.steps)) // what each step still waits for
	head := make([]int32, len(a.steps)) // of the list of steps that wait by depid
	next := make([]int32, len(a.steps))
	for i := range head {
		head[i], next[i] = -1, -1
	}
	for i := range a.steps {
		st := &a.steps[i]
		if st.s > 0 {
			waits[i]++
		}
		if st.from >= 0 {
			waits[i]++
		}
		if d := a.dependency(st); d >= 0 {
			waits[i]++
			next[i], head[d] = head[d], int32(i)
		}
	}
	queue := make([]int32, 0, len(a.steps))
	for i := range waits {
		if waits[i] == 0 {
			queue = append(queue, int32(i))
		}
	}
	for at := 0; at < len(queue); at++ {
		i := queue[at]
		done := func(j int32) {
			if waits[j]--; waits[j] == 0 {
				queue = append(queue, j)
			}
		}
		st := &a.steps[i]
		if j := i + 1; int(j) < len(a.steps) && a.steps[j].s == st.s+1 {
			done(j)
		}
		if st.to >= 0 {
			done(st.to)
		}
		for j := head[i]; j >= 0; j = next[j] {
			done(j)
		}
	}
	if len(queue) < len(a.steps) {
		return nil, a.deadlock(queue)
	}
	return queue, nil
}

// dependency returns the index of the step that st waits for by depid, or -1.
func (a *algo) dependency(st *step) int {
	if st.depTB < 0 {
		return -1
	}
	return a.gpus[st.gpu].blocks[st.depTB].first + int(st.depStep)
}

// deadlock names the steps that wait for each other: from one that is stuck
// back along what it waits for, until a step comes again.
func (a *algo) deadlock(done []int32) *Error {
	ran := make([]bool, len(a.steps))
	for _, i := range done {
		ran[i] = true
	}
	stuck := 0
	for ran[stuck] {
		stuck++
	}
	seen := map[int]int{} // step to its place in path
	var path []int
	var reason []string
	for i := stuck; ; {
		if at, again := seen[i]; again {
			path, reason = path[at:], reason[at:]
			break
		}
		seen[i] = len(path)
		path = append(path, i)
		st := &a.steps[i]
		switch {
		case st.s > 0 && !ran[i-1]:
			reason, i = append(reason, "behind"), i-1
		case st.from >= 0 && !ran[st.from]:
			reason, i = append(reason, "receives from"), int(st.from)
		default:
			reason, i = append(reason, "waits for"), a.dependency(st)
		}
	}
	// Long circles are mostly thread blocks run through backwards.
	var said []string
	for k, i := range path {
		if reason[k] == "behind" && len(path) > 2 && reason[(k+len(path)-1)%len(path)] == "behind" {
			continue
		}
		if len(said) == 6 {
			said = append(said, "…")
			break
		}
		said = append(said, fmt.Sprintf("%s (line %d)", a.steps[i].name(), a.steps[i].line))
	}
	return refuse("deadlock", int(a.steps[path[0]].line), "steps wait for each other in a circle: %s, which waits for the first; accepted: an order in which every step can run", strings.Join(said, " waits for "))
}
