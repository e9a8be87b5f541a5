package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"lockstep/engine/schedule"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/hardware"
)

// Statement is what somebody says of logs that do not say it themselves.
// Collective, ranks and nodes fill gaps and overrule nothing that a log says;
// what is said of the system counts before a log's own words, which name no
// network as a rule.
type Statement struct {
	System      string // an ID of the catalogue; empty for none
	Accelerator string // in people's words
	Network     string // between nodes, in people's words
	Collective  schedule.Collective
	Ranks       int // 0 for not said
	Nodes       int // 0 for not said
}

// Bounds of what can be stated.
const (
	MaxRanks = 1 << 20
	MaxNodes = 100_000
)

// WrongError is a part of a statement that cannot be used.
type WrongError struct {
	Field   string // system, collective, ranks, nodes
	Message string // what was given and what is accepted
}

func (e *WrongError) Error() string { return e.Field + ": " + e.Message }

// Check says what of the statement cannot be used. The error is a *WrongError.
func (d *Doctor) Check(s Statement) error {
	if s.System != "" {
		if _, err := d.known.System(s.System); err != nil {
			return &WrongError{"system", err.Error()}
		}
	}
	if s.Collective != "" && !slices.Contains(schedule.Collectives(), s.Collective) {
		return &WrongError{"collective", fmt.Sprintf("%q; accepted are %v", s.Collective, schedule.Collectives())}
	}
	if s.Ranks < 0 || s.Ranks > MaxRanks {
		return &WrongError{"ranks", fmt.Sprintf("%d; accepted is 1 to %d", s.Ranks, MaxRanks)}
	}
	if s.Nodes < 0 || s.Nodes > MaxNodes {
		return &WrongError{"nodes", fmt.Sprintf("%d; accepted is 1 to %d", s.Nodes, MaxNodes)}
	}
	return nil
}

// gaps is the part of a statement that a log's reader fills in.
func (s Statement) gaps() benchlog.Statement {
	return benchlog.Statement{Collective: s.Collective, Ranks: s.Ranks, Nodes: s.Nodes}
}

// onto lets what is stated of the system count before the words of a log. The
// catalogue knows the system: Check has looked.
func (d *Doctor) onto(w hardware.Words, s Statement) hardware.Words {
	if s.System != "" {
		if system, err := d.known.System(s.System); err == nil {
			if of, err := d.known.Words(system, max(w.Nodes, 1)); err == nil {
				of.Ranks, of.Nodes, of.PerNode, of.Settings = w.Ranks, w.Nodes, cmp.Or(w.PerNode, of.PerNode), w.Settings
				w = of
			}
		}
	}
	if s.Accelerator != "" {
		w.GPU = s.Accelerator
	}
	if s.Network != "" {
		w.InterLink, w.InterGbpsPerNode = s.Network, 0
	}
	return w
}
