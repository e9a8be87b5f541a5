//go:build !linux

package local

import "lockstep/cluster/conduct"

// State is not known here.
func (*process) State() conduct.State { return conduct.Unknown }
