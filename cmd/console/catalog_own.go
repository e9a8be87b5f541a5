package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"time"

	"lockstep/sizing/catalog"
	"lockstep/store"
	"lockstep/web/account"
)

type catalogAddCommand struct {
	dataFlag
	Kind    string `arg:"" help:"models, systems, accelerators or fabrics."`
	File    string `arg:"" help:"An entry as JSON with the keys of console catalog KIND --json; of a model also its config.json of Hugging Face; - for standard input."`
	ID      string `name:"id" placeholder:"ID" help:"ID of the entry, in the place of the one that the file says."`
	Name    string `placeholder:"NAME" help:"Name of the entry, in the place of the one that the file says."`
	Source  string `placeholder:"TEXT" help:"Where the figures come from, in the place of what the file says."`
	Replace bool   `help:"Also replace an own entry of the same ID."`
}

// Run checks an own entry and keeps it.
func (c catalogAddCommand) Run(ctx context.Context, term terminal) error {
	kind, err := catalog.ParseKind(c.Kind)
	if err != nil {
		return argument("kind", err)
	}
	document, warnings, err := c.document(kind)
	if err != nil {
		return argument("file", err)
	}
	known, err := c.catalog(ctx)
	if err != nil {
		return err
	}
	entry, err := known.Read(kind, document)
	if err != nil {
		return argument("file", err)
	}
	entry.By, entry.Changed = commandUser(), time.Now()
	err = c.withStore(ctx, func(db *store.Store) error {
		err := db.Entries().Save(ctx, entry, c.Replace)
		if errors.Is(err, catalog.ErrTaken) {
			return failure{code: "entry-exists", err: fmt.Errorf("%s has an own entry %s already; --replace puts this one in its place", kind, entry.ID)}
		}
		if unfit := (catalog.FieldErrors)(nil); errors.As(err, &unfit) {
			return argument("file", err)
		}
		return errors.Join(err, recordCommand(ctx, db, account.SaveEntry, string(kind)+" "+entry.ID, "", err))
	})
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(term.err, "note: %s\n", w.Message)
	}
	_, err = fmt.Fprintf(term.out, "added %s %s%s\n", kind, entry.ID, countedIn(entry))
	return err
}

// countedIn says how many parameters a model's shape has.
func countedIn(e catalog.Entry) string {
	var m catalog.Model
	if e.Kind != catalog.Models || json.Unmarshal(e.Document, &m) != nil || m.Params == 0 {
		return ""
	}
	text := fmt.Sprintf(": %s parameters by its shape", millions(m.Params))
	if m.Active > 0 {
		text += fmt.Sprintf(", of which a token meets %s", millions(m.Active))
	}
	return text
}

// document reads the file and puts what the flags say in.
func (c catalogAddCommand) document(kind catalog.Kind) ([]byte, []catalog.Warning, error) {
	text, err := readEntry(c.File)
	if err != nil {
		return nil, nil, err
	}
	var warnings []catalog.Warning
	if kind == catalog.Models && catalog.IsConfig(text) {
		if text, warnings, err = catalog.FromConfig(text); err != nil {
			return nil, nil, err
		}
	}
	said := map[string]string{"id": c.ID, "name": c.Name, "source": c.Source}
	if c.ID+c.Name+c.Source == "" {
		return text, warnings, nil
	}
	var entry map[string]json.RawMessage
	if err := json.Unmarshal(text, &entry); err != nil {
		return text, warnings, nil // Read says what is wrong with it
	}
	for key, value := range said {
		if value == "" {
			continue
		}
		if entry[key], err = json.Marshal(value); err != nil {
			return nil, nil, err
		}
	}
	text, err = json.Marshal(entry)
	return text, warnings, err
}

// readEntry reads a file up to what an entry may hold.
func readEntry(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, catalog.MaxEntry+1))
	if err == nil && len(text) > catalog.MaxEntry {
		err = fmt.Errorf("%s is larger than the %d bytes of an entry", name, catalog.MaxEntry)
	}
	return text, err
}

// commandUser names whoever gives a command.
func commandUser() string {
	if me, err := user.Current(); err == nil {
		return me.Username
	}
	return string(account.ByCommand)
}

type catalogRemoveCommand struct {
	dataFlag
	Kind string `arg:"" help:"models, systems, accelerators or fabrics."`
	ID   string `arg:"" name:"id" help:"ID of an own entry."`
}

// Run forgets an own entry.
func (c catalogRemoveCommand) Run(ctx context.Context, term terminal) error {
	kind, err := catalog.ParseKind(c.Kind)
	if err != nil {
		return argument("kind", err)
	}
	return c.withStore(ctx, func(db *store.Store) error {
		err := db.Entries().Remove(ctx, kind, c.ID)
		inUse := new(catalog.InUseError)
		switch {
		case errors.Is(err, catalog.ErrNone):
			return argument("id", fmt.Errorf("%s has no own entry %q; console catalog %[1]s lists them", kind, c.ID))
		case errors.As(err, &inUse):
			return failure{code: "entry-in-use", err: inUse}
		}
		if err := errors.Join(err, recordCommand(ctx, db, account.RemoveEntry, string(kind)+" "+c.ID, "", err)); err != nil {
			return err
		}
		_, err = fmt.Fprintf(term.out, "removed %s %s\n", kind, c.ID)
		return err
	})
}
