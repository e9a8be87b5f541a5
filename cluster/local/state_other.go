//go:build !linux

package local

// state is not known here.
func (*process) state() processState { return unknown }
