package main

import (
	"context"
	"errors"
	"fmt"

	"lockstep/store"
)

type keyCommand struct {
	dataFlag
}

// Run prints a fresh opening key: the key alone on standard output, for
// scripts, and the address that it opens on standard error if a console is
// serving the data folder.
func (c keyCommand) Run(ctx context.Context, term terminal) (err error) {
	dir, err := c.folder()
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	key, err := issueKey(ctx, db)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(term.out, key); err != nil {
		return err
	}
	address, err := servedAt(dir)
	if err != nil {
		return err
	}
	if address == "" {
		return nil
	}
	_, err = fmt.Fprintln(term.err, "open "+keyURL(address, key))
	return err
}
