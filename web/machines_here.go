package web

import (
	"sync"
	"time"

	"lockstep/sizing"
	"lockstep/sizing/calibrate"
)

// compared remembers what the newest calibration has changed, which takes a
// while to find out.
type compared struct {
	mu   sync.Mutex
	made time.Time
	rows []sizing.Here
}

// of returns what a calibration has changed; the rows are shared and only read.
func (c *compared) of(found calibrate.Calibration) []sizing.Here {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil || !c.made.Equal(found.Made) {
		c.rows, c.made = sizing.CompareHere(found), found.Made
	}
	return c.rows
}
