package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/store"
	"lockstep/web/account"
)

// nodeCommand acts on the nodes of a data folder, whether a console serves it
// or not; one that does notices within two seconds.
type nodeCommand struct {
	List   nodeList   `cmd:"" help:"The nodes that have joined."`
	Drain  nodeDrain  `cmd:"" help:"Let a node finish its run and give it no other."`
	Resume nodeResume `cmd:"" help:"End a drain."`
	Revoke nodeRevoke `cmd:"" help:"Cut a node off at once: its connection, its run and its certificates. It must join anew."`
	Probe  nodeProbe  `cmd:"" help:"Have a console measure the ways between all its nodes, and print what it finds."`
	Forget nodeForget `cmd:"" help:"Take a node off the list, cutting it off if need be; any machine may have its name."`
}

type nodeList struct {
	dataFlag
	JSON bool `name:"json" help:"Print one JSON document."`
}

// keptNode is a node as the data folder tells. Whether it is connected, only a
// console that serves knows.
type keptNode struct {
	Name        string           `json:"name"`
	State       string           `json:"state"` // admitted, draining or revoked
	Build       string           `json:"build,omitempty"`
	Joined      time.Time        `json:"joined"`
	Seen        time.Time        `json:"seen,omitzero"`
	Certificate string           `json:"certificate"` // its serial number
	Expires     time.Time        `json:"expires"`
	Limits      inventory.Limits `json:"limits"`
}

// Run prints the nodes.
func (c nodeList) Run(ctx context.Context, term terminal) error {
	return c.withStore(ctx, func(db *store.Store) error {
		all, err := db.Nodes().Enrolments(ctx)
		if err != nil {
			return err
		}
		kept := make([]keptNode, 0, len(all))
		for _, e := range all {
			state := "admitted"
			switch {
			case e.Revoked:
				state = "revoked"
			case e.Draining:
				state = "draining"
			}
			kept = append(kept, keptNode{e.Name, state, e.Build, e.Joined, e.Seen, e.Admission.Serial, e.Admission.Expires, e.Limits})
		}
		if c.JSON {
			return json.NewEncoder(term.out).Encode(struct {
				Version int        `json:"version"`
				Nodes   []keptNode `json:"nodes"`
			}{1, kept})
		}
		table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "NAME\tSTATE\tSEEN\tCERTIFICATE EXPIRES\tBUILD")
		for _, n := range kept {
			seen := "never"
			if !n.Seen.IsZero() {
				seen = n.Seen.Local().Format(time.DateTime)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", n.Name, n.State, seen, n.Expires.Local().Format(time.DateTime), n.Build)
		}
		return table.Flush()
	})
}

// nodeName is what the other commands take.
type nodeName struct {
	dataFlag
	Name string `arg:"" help:"Name of the node."`
}

type (
	nodeDrain  struct{ nodeName }
	nodeResume struct{ nodeName }
	nodeRevoke struct{ nodeName }
	nodeForget struct{ nodeName }
)

// Run lets the node finish.
func (c nodeDrain) Run(ctx context.Context, term terminal) error {
	return c.amend(ctx, term, inventory.Drain)
}

// Run lets the node take runs again.
func (c nodeResume) Run(ctx context.Context, term terminal) error {
	return c.amend(ctx, term, inventory.Resume)
}

// Run cuts the node off.
func (c nodeRevoke) Run(ctx context.Context, term terminal) error {
	return c.amend(ctx, term, inventory.Revoke)
}

// Run takes the node off the list.
func (c nodeForget) Run(ctx context.Context, term terminal) error {
	return c.amend(ctx, term, inventory.Forget)
}

func (c nodeName) amend(ctx context.Context, term terminal, change inventory.Change) error {
	return c.withStore(ctx, func(db *store.Store) error {
		err := db.Nodes().Amend(ctx, c.Name, change)
		if errors.Is(err, inventory.ErrNoNode) {
			return usageError{field: "name", message: fmt.Sprintf("no node %q has joined; console node list names those that have", c.Name)}
		}
		action := map[inventory.Change]account.Action{
			inventory.Drain: account.DrainNode, inventory.Resume: account.ResumeNode, inventory.Revoke: account.RevokeNode, inventory.Forget: account.ForgetNode,
		}[change]
		if err := errors.Join(err, recordCommand(ctx, db, action, c.Name, "", err)); err != nil {
			return err
		}
		done := map[inventory.Change]string{
			inventory.Drain: "drains", inventory.Resume: "takes runs again", inventory.Revoke: "is revoked", inventory.Forget: "is forgotten",
		}[change]
		_, err = fmt.Fprintf(term.out, "node %s %s\n", c.Name, done)
		return err
	})
}
