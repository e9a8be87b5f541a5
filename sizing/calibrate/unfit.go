package calibrate

import (
	"fmt"

	"lockstep/engine/trace"
)

// Reason is why samples do not make a network.
type Reason string

// The reasons; each can be looked for with errors.Is.
const (
	ErrTooFew   Reason = "too-few"
	ErrAlike    Reason = "alike"
	ErrNoBytes  Reason = "no-bytes"
	ErrDisagree Reason = "disagree"
)

func (r Reason) Error() string {
	switch r {
	case ErrTooFew:
		return "too few sizes were measured"
	case ErrAlike:
		return "the runs are too alike to tell latency from bandwidth"
	case ErrNoBytes:
		return "the runs do not show what a byte costs"
	}
	return "the runs do not fit one latency and one bandwidth"
}

// Unfit is the error of Fit for samples that do not make a network: a Reason,
// which it wraps, with the figures that show it. Values has "why", the Reason,
// and for ErrTooFew "sizes" and "needed", for ErrNoBytes and ErrDisagree
// "percent": of the longest time that is spent on bytes at most, and beyond
// which half of the runs are off.
type Unfit struct {
	Reason
	Values trace.Values
}

func (u *Unfit) Unwrap() error { return u.Reason }

func (u *Unfit) Error() string {
	text := u.Reason.Error()
	switch u.Reason {
	case ErrTooFew:
		text += fmt.Sprintf(": %s; needed are %s", u.Values["sizes"], u.Values["needed"])
	case ErrNoBytes:
		text += fmt.Sprintf(": the largest spends %s %% of its time on them", u.Values["percent"])
	case ErrDisagree:
		text += fmt.Sprintf(": half of them are off by more than %s %%", u.Values["percent"])
	}
	return text
}

// unfit fills in the figures, by name.
func unfit(r Reason, pairs ...string) *Unfit {
	u := &Unfit{r, trace.Values{"why": string(r)}}
	for i := 0; i < len(pairs); i += 2 {
		u.Values[pairs[i]] = pairs[i+1]
	}
	return u
}

func percent(share float64) string { return fmt.Sprintf("%.0f", 100*share) }
