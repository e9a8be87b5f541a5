package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the release build with -ldflags "-X main.version=…".
var version = ""

type versionCommand struct{}

func (versionCommand) Run(term terminal) error {
	_, err := fmt.Fprintf(term.out, "lockstep %s (%s, %s/%s)\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// buildVersion names the build: the released version, else the commit that the
// Go tool stamped, else "development".
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return "development " + s.Value[:12]
			}
		}
	}
	return "development"
}
