package trace

import "errors"

// ErrNoRun is what everyone who looks a run up answers for an ID that names
// none; wrapped with the ID.
var ErrNoRun = errors.New("no such run")
