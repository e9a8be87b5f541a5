//go:build !linux

package link

import (
	"runtime"
	"time"
)

// sleep sleeps for a moment: there is no bell to wait for here.
func sleep(_ *uint32, _ uint32, d time.Duration) { time.Sleep(min(max(d, 0), 100*time.Microsecond)) }

func rouse(*uint32) {}

func yield() { runtime.Gosched() }

func alive(int) bool { return true }

func populate([]byte) {}
