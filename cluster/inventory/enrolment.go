package inventory

import (
	"crypto/sha256"
	"errors"
	"time"
)

// ErrNoPair says that there are no two nodes to probe the way between.
var ErrNoPair = errors.New("fewer than two nodes are ready and idle")

// Fingerprint is the SHA-256 of something that need not be kept itself: a
// node's public key, the secret that let it in.
type Fingerprint [sha256.Size]byte

// Enrolment is what a console keeps of a node, connected or not.
type Enrolment struct {
	Name      string
	Key       Fingerprint // of its public key (SPKI)
	Token     Fingerprint // of the secret that it joined with
	Joined    time.Time
	Seen      time.Time // zero until it connects for the first time after joining
	Draining  bool
	Revoked   bool
	Admission Admission // the newest

	// By its own word when it last connected.
	Build  string
	Limits Limits
	Node   Node
}

// Decision is what stands about a node by what people have asked of it, in any
// process, and by its newest certificate.
type Decision struct {
	Name      string
	Draining  bool
	Revoked   bool
	Admission Admission
}

// Change is what a person asks of a node.
type Change string

// The changes. Forget takes the node off the list; it must join anew, as after
// Revoke, and any machine may have its name.
const (
	Drain  Change = "drain"
	Resume Change = "resume"
	Revoke Change = "revoke"
	Forget Change = "forget"
)

// Changes lists them.
func Changes() []Change { return []Change{Drain, Resume, Revoke, Forget} }
