package trace

import "errors"

// ErrNoRun is what everyone who looks a run up answers for an ID that names
// none; wrapped with the ID.
var ErrNoRun = errors.New("no such run")

// ErrNotRunning is the error of what can only be done to a run while its ranks
// run: it is queued yet, or has just ended.
var ErrNotRunning = errors.New("run is not running")
