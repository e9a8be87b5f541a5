//go:build !linux

package main

import "errors"

// processors names none: without a way to pin threads placements stay unknown.
func processors() []int { return nil }

func pinThread(int) (release func(), err error) { return nil, errors.ErrUnsupported }
