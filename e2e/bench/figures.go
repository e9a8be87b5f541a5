package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// duration writes seconds with three digits or so.
func duration(seconds float64) string {
	us := seconds * 1e6
	switch {
	case us >= 1e4:
		return fmt.Sprintf("%.1f ms", us/1e3)
	case us >= 1e3:
		return fmt.Sprintf("%.2f ms", us/1e3)
	case us >= 100:
		return fmt.Sprintf("%.0f us", us)
	case us >= 10:
		return fmt.Sprintf("%.1f us", us)
	}
	return fmt.Sprintf("%.2f us", us)
}

func bytesText(b int64) string {
	switch {
	case b >= 1<<20 && b%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", b>>20)
	case b >= 1<<10 && b%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", b>>10)
	}
	return fmt.Sprintf("%d B", b)
}

// machine says when and where something was measured.
func machine() string {
	return fmt.Sprintf("Measured %s on %s/%s, %d CPUs (%s)", time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpuModel())
}

// load is the average of the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "?"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

func cpuModel() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}
	return "unknown CPU"
}
