package inventory

import (
	"errors"
	"time"

	"lockstep/engine/unit"
)

// Standing is what a console may ask of a node.
type Standing string

// The standings of a node.
const (
	Ready    Standing = "ready"    // connected, takes runs
	Draining Standing = "draining" // connected, finishes its run and takes no other
	Offline  Standing = "offline"  // admitted, not connected
	Revoked  Standing = "revoked"  // its certificate counts for nothing; it must join anew
)

// Limits are what an agent accepts, by its own word; it refuses the rest
// whatever the console asks. 0 is no limit of its own.
type Limits struct {
	Ranks   int        `json:"ranks,omitempty"`
	Bytes   unit.Bytes `json:"bytes,omitempty"`   // of the buffers of all ranks of a run here
	Seconds int        `json:"seconds,omitempty"` // of a run
}

// Admission is what lets a node in: the certificate that it got.
type Admission struct {
	Serial  string    `json:"serial"` // hexadecimal
	Expires time.Time `json:"expires"`
	Revoked bool      `json:"revoked,omitempty"`
}

// Member is a node of a console's cluster as it stands.
type Member struct {
	Name      string    `json:"name"` // unique within the console
	Standing  Standing  `json:"standing"`
	Address   string    `json:"address,omitempty"` // where its control connection comes from; absent while offline
	Build     string    `json:"build,omitempty"`   // version of its program
	Joined    time.Time `json:"joined"`
	Seen      time.Time `json:"seen"` // the last sign of life
	Run       string    `json:"run,omitempty"`
	Limits    Limits    `json:"limits"`
	Admission Admission `json:"admission"`
	Node      Node      `json:"node"`
	// Doubt is what a person should know about it, such as a version that
	// differs from the console's; empty for nothing.
	Doubt string `json:"doubt,omitempty"`
}

// ErrNoNode says that a console knows no node of that name.
var ErrNoNode = errors.New("no such node")

// ErrNodeInUse says that a node cannot be forgotten while it is connected.
var ErrNodeInUse = errors.New("node is connected")

// Invitation is what a machine needs to join a console.
type Invitation struct {
	Address string    // of the console's listener for agents, as other machines reach it
	Token   string    // a secret that counts once
	Expires time.Time // of the token
}
