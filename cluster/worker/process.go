package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// orphanStatus is the exit status of a worker that ended because its console
// was gone. Nobody is left to read it but a person with a debugger.
const orphanStatus = 3

// SegmentEnv in a worker's environment says that its first extra file is the
// memory that the ranks of the machine share.
const SegmentEnv = "LOCKSTEP_SEGMENT"

// EventsEnv set to "off" makes a worker silent: see Config.
const EventsEnv = "LOCKSTEP_EVENTS"

// ServeProcess is Serve on this process's standard input and output, or on the
// socket that AttachEnv names. If the
// console goes away, the process ends at once, whatever it is doing. With
// AskEnv set it only answers that.
func ServeProcess(ctx context.Context, cfg Config) error {
	if family := os.Getenv(AskEnv); family != "" {
		return answer(os.Stdout, family)
	}
	var conn io.ReadWriteCloser
	var err error
	if at := os.Getenv(AttachEnv); at != "" {
		if conn, err = dialConsole(at, os.Getenv(AttachKeyEnv)); err != nil {
			return fmt.Errorf("attach to the console: %w", err)
		}
	} else if conn, err = openStdio(); err != nil {
		return fmt.Errorf("open standard input and output: %w", err)
	}
	cfg.Orphaned = func() { os.Exit(orphanStatus) }
	cfg.Segment = segment()
	cfg.Silent = cfg.Silent || os.Getenv(EventsEnv) == "off"
	return Serve(ctx, conn, cfg)
}

// stdio is the stream to the console.
type stdio struct{ in, out *os.File }

func (s stdio) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s stdio) Write(p []byte) (int, error) { return s.out.Write(p) }
func (s stdio) Close() error                { return errors.Join(s.in.Close(), s.out.Close()) }
