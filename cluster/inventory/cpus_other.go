//go:build !linux

package inventory

import "runtime"

func allowedCPUs() int { return runtime.NumCPU() }
