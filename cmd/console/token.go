package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"lockstep/cluster"
	"lockstep/cluster/wire"
	"lockstep/store"
	"lockstep/web/account"
)

type tokenCommands struct {
	Create tokenCreateCommand `cmd:"" help:"Make a token and print it, last and on a line of its own."`
	List   tokenListCommand   `cmd:"" help:"List the tokens, without their secrets."`
	Revoke tokenRevokeCommand `cmd:"" help:"Make a token open nothing from now on."`
}

type tokenCreateCommand struct {
	dataFlag
	Kind    string `required:"" placeholder:"join|api" help:"join lets one node join, once; api lets a program use the API until it expires."`
	Role    string `placeholder:"ROLE" help:"Of an api token: viewer, presenter or admin (viewer)."`
	Expires string `placeholder:"TIME" help:"How long it is valid: 30m, 1h, 90d (join 1h, at most 7d; api 90d, at most 366d)."`
	Label   string `placeholder:"TEXT" help:"What people call it; stands in lists and in the audit log."`
}

// Run makes a token. Its secret is printed once and not kept.
func (c tokenCreateCommand) Run(ctx context.Context, term terminal) error {
	request := account.TokenRequest{Kind: account.TokenKind(c.Kind), Role: account.Role(c.Role), Label: c.Label, By: string(account.ByCommand)}
	if c.Expires != "" {
		var err error
		if request.Lifetime, err = parseLifetime(c.Expires); err != nil {
			return usage("expires", err)
		}
	}
	text, token, err := account.NewToken(request, time.Now())
	if err != nil {
		return tokenUsage(err)
	}
	return c.withStore(ctx, func(db *store.Store) error {
		if token.Kind == account.JoinToken {
			// The pin lets the node tell this console from any other.
			authority, err := c.authority()
			if err != nil {
				return err
			}
			text = wire.Token{Secret: text, Pin: authority.Pin()}.String()
		}
		err := db.Tokens().Add(ctx, token)
		if err := errors.Join(err, recordCommand(ctx, db, account.CreateToken, token.ID, c.Kind, err)); err != nil {
			return err
		}
		// What a person wants to know stands beside; the token alone is what a
		// script takes.
		about := fmt.Sprintf("%s token %s, valid until %s; it is not shown again", token.Kind, token.ID, token.Expires.Format("2006-01-02 15:04"))
		if token.Role != "" {
			about = fmt.Sprintf("%s token %s with the role %s, valid until %s; it is not shown again", token.Kind, token.ID, token.Role, token.Expires.Format("2006-01-02 15:04"))
		}
		fmt.Fprintln(term.err, about)
		if address, err := c.joinAddress(); err == nil && token.Kind == account.JoinToken && address != "" {
			fmt.Fprintf(term.err, "on the node, with the token in FILE: console agent --join %s --token-file FILE\n", address)
		}
		_, err = fmt.Fprintln(term.out, text)
		return err
	})
}

// joinAddress is where nodes find the console that serves the data folder,
// empty for nowhere.
func (c tokenCreateCommand) joinAddress() (string, error) {
	dir, err := c.folder()
	if err != nil {
		return "", err
	}
	return agentsAt(dir)
}

func (c tokenCreateCommand) authority() (*cluster.Authority, error) {
	dir, err := c.folder()
	if err != nil {
		return nil, err
	}
	return cluster.OpenAuthority(dir)
}

// tokenUsage says which flag an unusable token is due to.
func tokenUsage(err error) error {
	for _, known := range []struct {
		err  error
		flag string
	}{
		{account.ErrTokenKind, "kind"}, {account.ErrRole, "role"}, {account.ErrTokenRole, "role"}, {account.ErrLabel, "label"}, {account.ErrTokenLifetime, "expires"},
	} {
		if errors.Is(err, known.err) {
			return usage(known.flag, err)
		}
	}
	return err
}

// parseLifetime reads how long something is valid: Go's durations, and whole
// days.
func parseLifetime(text string) (time.Duration, error) {
	const accepts = "accepted are times such as 30m, 1h or 90d"
	if number, isDays := strings.CutSuffix(text, "d"); isDays {
		days, err := strconv.Atoi(number)
		if err != nil || days < 1 || days > 10_000 {
			return 0, fmt.Errorf("%q is no number of days; %s", text, accepts)
		}
		return time.Duration(days) * 24 * time.Hour, nil
	}
	lifetime, err := time.ParseDuration(text)
	if err != nil || lifetime <= 0 {
		return 0, fmt.Errorf("%q is no time; %s", text, accepts)
	}
	return lifetime, nil
}

type tokenListCommand struct {
	dataFlag
	JSON bool `name:"json" help:"One JSON document."`
}

// tokenDocument is a token in a list.
type tokenDocument struct {
	ID      string     `json:"id"`
	Kind    string     `json:"kind"`
	Role    string     `json:"role,omitempty"`
	Label   string     `json:"label,omitempty"`
	State   string     `json:"state"`
	By      string     `json:"by"`
	Created time.Time  `json:"created"`
	Expires time.Time  `json:"expires"`
	Used    *time.Time `json:"used,omitempty"`
	Revoked *time.Time `json:"revoked,omitempty"`
}

// Run lists the tokens.
func (c tokenListCommand) Run(ctx context.Context, term terminal) error {
	return c.withStore(ctx, func(db *store.Store) error {
		tokens, err := db.Tokens().List(ctx)
		if err != nil {
			return err
		}
		now := time.Now()
		if c.JSON {
			list := make([]tokenDocument, len(tokens)) // [] for none
			for i, t := range tokens {
				list[i] = tokenDocument{
					ID: t.ID, Kind: string(t.Kind), Role: string(t.Role), Label: t.Label, State: string(t.State(now)), By: t.By,
					Created: t.Created.UTC(), Expires: t.Expires.UTC(), Used: presentTime(t.Used), Revoked: presentTime(t.Revoked),
				}
			}
			return json.NewEncoder(term.out).Encode(struct {
				Version int             `json:"version"`
				Tokens  []tokenDocument `json:"tokens"`
			}{1, list})
		}
		if len(tokens) == 0 {
			_, err := fmt.Fprintln(term.err, "no tokens; console token create makes one")
			return err
		}
		w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tKIND\tROLE\tSTATE\tEXPIRES\tUSED\tLABEL")
		for _, t := range tokens {
			role, used := string(t.Role), "never"
			if role == "" {
				role = "-"
			}
			if !t.Used.IsZero() {
				used = t.Used.Format("2006-01-02 15:04")
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Kind, role, t.State(now), t.Expires.Format("2006-01-02 15:04"), used, t.Label)
		}
		return w.Flush()
	})
}

// presentTime leaves out a moment that has not come.
func presentTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

type tokenRevokeCommand struct {
	dataFlag
	ID string `arg:"" help:"ID of the token, as console token list prints it."`
}

// Run revokes a token.
func (c tokenRevokeCommand) Run(ctx context.Context, _ terminal) error {
	return c.withStore(ctx, func(db *store.Store) error {
		_, err := db.Tokens().Revoke(ctx, c.ID, time.Now())
		if errors.Is(err, account.ErrNoToken) {
			return failure{code: "no-token", err: fmt.Errorf("there is no token %q; console token list names those there are", c.ID)}
		}
		return errors.Join(err, recordCommand(ctx, db, account.RevokeToken, c.ID, "", err))
	})
}
