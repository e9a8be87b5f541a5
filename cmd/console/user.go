package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/user"
	"text/tabwriter"
	"time"

	"lockstep/store"
	"lockstep/web/account"
)

type userCommands struct {
	Add      userAddCommand      `cmd:"" help:"Add an account; asks for its password."`
	List     userListCommand     `cmd:"" help:"List the accounts."`
	Role     userRoleCommand     `cmd:"" help:"Give an account another role."`
	Password userPasswordCommand `cmd:"" help:"Give an account another password; its sessions end."`
	Remove   userRemoveCommand   `cmd:"" help:"Remove an account; its sessions end."`
}

type userAddCommand struct {
	dataFlag
	passwordFlags
	Name string `arg:"" help:"Name to log in with: letters, digits and . _ - @."`
	Role string `default:"viewer" placeholder:"ROLE" help:"viewer (sees runs, nodes and reports), presenter (also starts and cancels runs, saves reports) or admin (also nodes, people and tokens) (viewer)."`
}

// Run adds an account.
func (c userAddCommand) Run(ctx context.Context, term terminal) error {
	name, err := userName(c.Name)
	if err != nil {
		return err
	}
	role, err := account.ParseRole(c.Role)
	if err != nil {
		return usage("role", err)
	}
	return c.withStore(ctx, func(db *store.Store) error {
		taken := failure{code: "user-exists", err: fmt.Errorf("account %s exists already; console user password gives it another password, console user role another role", name)}
		if _, err := db.Users().Find(ctx, name); err == nil {
			return taken
		}
		hash, err := c.hash(ctx, term, name)
		if err != nil {
			return err
		}
		now := time.Now()
		err = db.Users().Add(ctx, account.User{Name: name, Role: role, Hash: hash, Epoch: account.NewEpoch(), Created: now, Changed: now})
		if errors.Is(err, account.ErrUserExists) {
			return taken
		}
		return errors.Join(err, recordCommand(ctx, db, account.AddUser, name, string(role), err))
	})
}

type userListCommand struct {
	dataFlag
	JSON bool `name:"json" help:"One JSON document."`
}

// userDocument is an account in a list.
type userDocument struct {
	Name     string    `json:"name"`
	Role     string    `json:"role"`
	Created  time.Time `json:"created"`
	Password time.Time `json:"password_set"`
}

// Run lists the accounts.
func (c userListCommand) Run(ctx context.Context, term terminal) error {
	return c.withStore(ctx, func(db *store.Store) error {
		users, err := db.Users().List(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			list := make([]userDocument, len(users)) // [] for none
			for i, u := range users {
				list[i] = userDocument{u.Name, string(u.Role), u.Created.UTC(), u.Changed.UTC()}
			}
			return json.NewEncoder(term.out).Encode(struct {
				Version int            `json:"version"`
				Users   []userDocument `json:"users"`
			}{1, list})
		}
		if len(users) == 0 {
			_, err := fmt.Fprintln(term.err, "no accounts; console user add NAME --role admin makes one")
			return err
		}
		w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "NAME\tROLE\tCREATED\tPASSWORD SET")
		for _, u := range users {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", u.Name, u.Role, u.Created.Format("2006-01-02 15:04"), u.Changed.Format("2006-01-02 15:04"))
		}
		return w.Flush()
	})
}

type userRoleCommand struct {
	dataFlag
	Name string `arg:"" help:"Name of the account."`
	Role string `arg:"" help:"viewer, presenter or admin."`
}

// Run gives an account another role.
func (c userRoleCommand) Run(ctx context.Context, _ terminal) error {
	role, err := account.ParseRole(c.Role)
	if err != nil {
		return usageError{field: "role", message: err.Error()}
	}
	return c.alter(ctx, c.Name, account.SetRole, string(role), func(db *store.Store, name string, needAdmin bool) error {
		return db.Users().Change(ctx, name, needAdmin, func(u *account.User) error {
			u.Role = role
			return nil
		})
	})
}

type userPasswordCommand struct {
	dataFlag
	passwordFlags
	Name string `arg:"" help:"Name of the account."`
}

// Run gives an account another password.
func (c userPasswordCommand) Run(ctx context.Context, term terminal) error {
	return c.alter(ctx, c.Name, account.SetPassword, "", func(db *store.Store, name string, needAdmin bool) error {
		if _, err := db.Users().Find(ctx, name); err != nil {
			return err
		}
		hash, err := c.hash(ctx, term, name)
		if err != nil {
			return err
		}
		return db.Users().Change(ctx, name, needAdmin, func(u *account.User) error {
			u.Hash, u.Epoch, u.Changed = hash, account.NewEpoch(), time.Now()
			return nil
		})
	})
}

type userRemoveCommand struct {
	dataFlag
	Name string `arg:"" help:"Name of the account."`
}

// Run removes an account.
func (c userRemoveCommand) Run(ctx context.Context, _ terminal) error {
	return c.alter(ctx, c.Name, account.RemoveUser, "", func(db *store.Store, name string, needAdmin bool) error {
		return db.Users().Remove(ctx, name, needAdmin)
	})
}

// alter does something to an account and keeps an entry of it.
func (f dataFlag) alter(ctx context.Context, given string, action account.Action, detail string, what func(db *store.Store, name string, needAdmin bool) error) error {
	name, err := userName(given)
	if err != nil {
		return err
	}
	return f.withStore(ctx, func(db *store.Store) error {
		needAdmin, err := servedOnNetwork(f)
		if err != nil {
			return err
		}
		err = what(db, name, needAdmin)
		var unusable usageError
		switch {
		case errors.As(err, &unusable):
			return err
		case errors.Is(err, account.ErrNoUser):
			return failure{code: "no-user", err: fmt.Errorf("there is no account %s; console user list names those there are", name)}
		}
		kept := recordCommand(ctx, db, action, name, detail, err)
		if errors.Is(err, account.ErrLastAdmin) {
			err = failure{code: "last-admin", err: fmt.Errorf("%s is the last account with the role admin, and the console that is serving on the network needs one; make another with console user add NAME --role admin", name)}
		}
		return errors.Join(err, kept)
	})
}

// withStore opens the data folder for work.
func (f dataFlag) withStore(ctx context.Context, work func(*store.Store) error) (err error) {
	dir, err := f.folder()
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return work(db)
}

// servedOnNetwork reports whether a console serves the data folder to other
// machines right now.
func servedOnNetwork(f dataFlag) (bool, error) {
	dir, err := f.folder()
	if err != nil {
		return false, err
	}
	address, err := servedAt(dir)
	if err != nil || address == "" {
		return false, err
	}
	at, err := url.Parse(address)
	if err != nil {
		return false, fmt.Errorf("read the address of the console that serves %s: %w", dir, err)
	}
	ip := net.ParseIP(at.Hostname())
	return at.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()), nil
}

func userName(given string) (string, error) {
	name, err := account.ParseName(given)
	if err != nil {
		return "", usageError{field: "name", message: err.Error()}
	}
	return name, nil
}

// recordCommand keeps in the audit log that somebody on this machine has done
// something, or has tried to and got err.
func recordCommand(ctx context.Context, db *store.Store, action account.Action, target, detail string, err error) error {
	entry := account.AuditEntry{
		At: time.Now(), Who: string(account.ByCommand), Via: account.ByCommand, Action: action, Target: target, Outcome: account.Allowed, Detail: detail,
	}
	if me, err := user.Current(); err == nil {
		entry.Who = me.Username
	}
	switch {
	case errors.Is(err, account.ErrLastAdmin):
		entry.Outcome = account.Refused
	case err != nil:
		entry.Outcome, entry.Detail = account.Failed, err.Error()
	}
	return db.Audit().Append(ctx, entry)
}
