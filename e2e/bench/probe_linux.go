package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// processors are those that this process may use, ascending.
func processors() (ids []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for id := 0; len(ids) < set.Count(); id++ {
		if set.IsSet(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// pinThread holds the calling goroutine on one processor until release, which
// gives the thread back as it was.
func pinThread(processor int) (release func(), err error) {
	runtime.LockOSThread()
	var before, only unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	only.Set(processor)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return func() {
		if unix.SchedSetaffinity(0, &before) == nil {
			runtime.UnlockOSThread()
		} // else the thread ends with the goroutine
	}, nil
}
