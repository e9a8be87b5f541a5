// Command console is Lockstep: a web console that teaches, runs and sizes the
// collective communication of large-model training.
//
//	console serve      serve the web console; prints the address to open
//	console run        run one collective for real, here or on a console's nodes
//	console run list   the saved runs; run show ID prints one
//	console schedule   print the schedule of a collective: who sends what when
//	console schedule list, console schedule check FILE
//	console predict    price a collective on a flat network, on a system, or a table of them
//	console catalog    models, systems, accelerators, fabrics, with their sources;
//	                   catalog add KIND FILE, catalog remove KIND ID: own ones
//	console report     list, show, compare, export: the saved reports
//	console import     benchmark logs, normalised, with a diagnosis
//	console calibrate  measure what this machine is like, for predictions and auto;
//	                   --name N FILE… keeps logs of a system, list and remove
//	console key        print a fresh opening key
//	console user       add, list, role, password, remove: who may log in
//	console token      create, list, revoke: for programs and for nodes that join
//	console agent      offer this machine to a console as a node of its cluster
//	console node       list, drain, resume, revoke, forget: the nodes that have joined
//	console backup FILE, console restore FILE
//	console version
//
// Every command takes --help. Sizes, rates and times carry their units:
// 64MiB, 100Gb/s, 5us. With --json the answer is one JSON document on standard
// output and an error is one JSON document on standard error.
//
// Exit status: 0 done; 1 the work failed (a run failed, a check did not hold);
// 2 unusable arguments, with one line that says what, where and what is
// accepted.
//
// Saved runs and keys live in the data folder: --data, else $LOCKSTEP_DATA,
// else ~/.local/share/lockstep.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the grammar of the command line; each field's type lives in the
// file of its name.
type commands struct {
	Serve     serveCommand      `cmd:"" help:"Serve the web console."`
	Run       runCommands       `cmd:"" help:"Run a collective for real, or read saved runs."`
	Schedule  scheduleCommand   `cmd:"" help:"Print, list or check schedules."`
	Predict   predictCommand    `cmd:"" help:"Price a collective on a flat network, on a system, or a table of them."`
	Size      sizeCommand       `cmd:"" help:"Price a training step of a model on a cluster, or a table of them."`
	Catalog   catalogCommand    `cmd:"" help:"Print what is known of models, systems, accelerators or fabrics."`
	Report    reportCommands    `cmd:"" help:"List, print, compare or export saved reports."`
	Import    importCommand     `cmd:"" help:"Read logs of collective benchmarks and say what they show."`
	Calibrate calibrateCommands `cmd:"" help:"Measure what this machine is like, or keep logs of a system, for predictions."`
	Key       keyCommand        `cmd:"" help:"Print a fresh opening key for the web console."`
	User      userCommands      `cmd:"" help:"Add, list or remove the accounts of the web console."`
	Token     tokenCommands     `cmd:"" help:"Make, list or revoke the tokens of programs and nodes."`
	Agent     agentCommand      `cmd:"" help:"Offer this machine to a console as a node of its cluster."`
	Node      nodeCommand       `cmd:"" help:"List, drain, revoke or forget the nodes of a console's cluster."`
	Backup    backupCommand     `cmd:"" help:"Write everything that the data folder keeps to one file."`
	Restore   restoreCommand    `cmd:"" help:"Put a backup in place of an empty data folder."`
	Version   versionCommand    `cmd:"" help:"Print the version."`
	Worker    workerCommand     `cmd:"" hidden:""`
}

// terminal is where a command writes.
type terminal struct {
	out, err io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(execute(ctx, os.Args[1:], terminal{os.Stdout, os.Stderr}))
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, term terminal) int {
	asJSON := slices.Contains(args, "--json")
	var grammar commands
	exited := -1
	parser, err := kong.New(&grammar,
		kong.Name("console"),
		kong.Description("Lockstep teaches, runs and sizes the collective communication of large-model training."),
		kong.Writers(term.out, term.err),
		kong.Exit(func(code int) { exited = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(term),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return report(term.err, asJSON, fmt.Errorf("build the command line: %w", err))
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 { // --help has printed and wants to leave
		return exited
	}
	if err != nil {
		return report(term.err, asJSON, usageError{field: flagIn(err.Error()), message: err.Error() + "; console --help lists what is accepted"})
	}
	return report(term.err, asJSON, parsed.Run())
}

// usageError is an argument that cannot be used: exit status 2.
type usageError struct {
	field   string // the flag or argument without dashes, may be empty
	message string // what was wrong and what is accepted
}

func (e usageError) Error() string { return e.message }

// usage wraps err as an unusable value of the flag.
func usage(flag string, err error) error {
	return usageError{field: flag, message: "--" + flag + ": " + err.Error()}
}

// argument wraps err as an unusable value of an argument that is no flag, by its
// name in the help.
func argument(name string, err error) error {
	return usageError{field: name, message: "<" + name + ">: " + err.Error()}
}

// failure is work that ended without success: exit status 1. A quiet one has
// already said everything on standard output.
type failure struct {
	code  string
	err   error
	quiet bool
}

func (e failure) Error() string { return e.err.Error() }
func (e failure) Unwrap() error { return e.err }

// report prints err, if any, and returns the exit status that goes with it.
func report(w io.Writer, asJSON bool, err error) int {
	if err == nil {
		return 0
	}
	status, code, field := 1, "failed", ""
	var unusable usageError
	var failed failure
	switch {
	case errors.As(err, &unusable):
		status, code, field = 2, "usage", unusable.field
	case errors.As(err, &failed):
		if failed.quiet {
			return 1
		}
		code = failed.code
	}
	if asJSON {
		about := map[string]string{"code": code, "message": err.Error()}
		if field != "" {
			about["field"] = field
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"error": about})
		return status
	}
	fmt.Fprintln(w, "console: "+strings.ReplaceAll(err.Error(), "\n", " "))
	return status
}

// flagIn finds the flag that a parser error is about.
func flagIn(message string) string {
	_, rest, found := strings.Cut(message, "--")
	if !found {
		return ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' })
	if end < 0 {
		end = len(rest)
	}
	return rest[:end]
}
