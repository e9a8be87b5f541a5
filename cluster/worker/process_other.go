//go:build !unix

package worker

import "os"

func openStdio() (stdio, error) { return stdio{os.Stdin, os.Stdout}, nil }

func segment() *os.File { return nil }
