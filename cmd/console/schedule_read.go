package main

import (
	"errors"
	"fmt"
	"os"

	"lockstep/engine/schedule"
)

// readSchedule reads and proves the schedule of a file that a run is to carry
// out. A file that cannot be used is an unusable argument.
func readSchedule(path string) (*schedule.Schedule, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("schedule", err)
	}
	defer f.Close()
	s, err := readDocument(f)
	if err != nil {
		return nil, usage("schedule", fmt.Errorf("%s: %w", path, err))
	}
	return s, nil
}

// perNodeFlag reads --ranks-per-node, which cannot be 0 when it is given.
func perNodeFlag(given *int) (int, error) {
	switch {
	case given == nil:
		return 0, nil
	case *given < 1:
		return 0, usage("ranks-per-node", errors.New("accepted: 1 or more"))
	}
	return *given, nil
}
