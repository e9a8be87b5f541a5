package inventory

// Reason is why a node, or the console for it, does not do something: what is
// the matter as a word and the values of its message, so that it can be said in
// any language, and the message in English. It is an error.
type Reason struct {
	Code    Cause             `json:"code,omitempty"`
	Values  map[string]string `json:"values,omitempty"` // by name, quantities with their unit
	Message string            `json:"message"`
}

func (r *Reason) Error() string { return r.Message }

// Cause is what the matter is. Those of later versions are taken like none:
// the message tells.
type Cause string

// The causes, with the values that each has.
const (
	// What a node accepts at most, by its own limits.
	OverRanks   Cause = "over-ranks"   // asked, most
	OverBytes   Cause = "over-bytes"   // asked, most
	OverSeconds Cause = "over-seconds" // most

	NodeBusy     Cause = "busy"     // another run has ranks there
	OtherVersion Cause = "version"  // of the program, at the console and at the node
	NodeStops    Cause = "stops"    // its agent is being stopped
	NodeOffline  Cause = "offline"  // seen
	NodeDraining Cause = "draining" //
	NodeRevoked  Cause = "revoked"  //
	NodeUnknown  Cause = "unknown"  //
	NotOffered   Cause = "declined" // it does not do that

	// What comes of a connection.
	Silent       Cause = "silent"      // after
	Ended        Cause = "ended"       //
	Unreachable  Cause = "unreachable" // address, error
	NoAnswer     Cause = "no-answer"   // address, after
	NobodyCame   Cause = "nobody-came" //
	NoListener   Cause = "no-listener" // error
	WrongKey     Cause = "wrong-key"   //
	WrongAddress Cause = "no-address"  // address
	NoFigures    Cause = "no-figures"  //
	BrokenOff    Cause = "broken-off"  // error
)

// Bounds of a Reason that another machine sends.
const (
	maxReasonValues  = 8
	maxReasonValue   = 200 // bytes
	maxReasonMessage = 600
)

// NewReason makes a reason; values come in pairs of name and value.
func NewReason(code Cause, message string, values ...string) *Reason {
	r := &Reason{Code: code, Message: message}
	for i := 0; i+1 < len(values); i += 2 {
		if r.Values == nil {
			r.Values = map[string]string{}
		}
		r.Values[values[i]] = values[i+1]
	}
	return r
}

// Clipped returns the reason as it may be shown when another machine has sent
// it: printable, and not too long.
func (r Reason) Clipped() Reason {
	kept := Reason{Code: Cause(Clip(string(r.Code))), Message: clip(r.Message, maxReasonMessage)}
	if len(r.Values) > maxReasonValues {
		kept.Code = "" // no message of ours has so many
		return kept
	}
	for name, value := range r.Values {
		if kept.Values == nil {
			kept.Values = map[string]string{}
		}
		kept.Values[Clip(name)] = clip(value, maxReasonValue)
	}
	return kept
}
