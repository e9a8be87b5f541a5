package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"text/tabwriter"
	"time"

	"lockstep/engine/unit"
	"lockstep/web"
)

// nodeProbe asks a console: only the one that serves can reach the nodes.
type nodeProbe struct {
	remoteFlags
	JSON bool `name:"json" help:"Print one JSON document."`
}

// probePatience is more than a probe of all pairs takes.
const probePatience = 2 * time.Minute

// Run begins a probe, waits for its end and prints what is known then.
func (c nodeProbe) Run(ctx context.Context, term terminal) error {
	if c.Console == "" {
		return usage("console", errors.New("not given; accepted: the address of the console that the nodes have joined"))
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	defer r.close()
	var list web.LinkList
	if err := r.ask(ctx, http.MethodPost, "/links/probe", nil, &list); err != nil {
		return err
	}
	patience := time.After(probePatience)
	for list.Probing {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-patience:
			return fmt.Errorf("probe nodes: no end after %v; console node probe waits again", probePatience)
		case <-time.After(200 * time.Millisecond):
		}
		if err := r.ask(ctx, http.MethodGet, "/links", nil, &list); err != nil {
			return err
		}
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(list)
	}
	table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FROM\tTO\tLATENCY\tRATE\tMEASURED\tNOTE")
	for _, l := range list.Links {
		latency, rate, note := l.Latency.String(), fmt.Sprintf("%s (%s)", l.Rate, bitsPerSecond(l.Rate)), ""
		switch {
		case l.Fault != "":
			latency, rate, note = "", "", l.Fault
		case l.Slow:
			note = "much slower than its peers"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", l.From, l.To, latency, rate, l.Time.Local().Format(time.DateTime), note)
	}
	return table.Flush()
}

// bitsPerSecond writes a rate as those who sell networks do.
func bitsPerSecond(r unit.Rate) string {
	bits := 8 * float64(r)
	switch {
	case bits >= 1e9:
		return fmt.Sprintf("%.3g Gb/s", bits/1e9)
	case bits >= 1e6:
		return fmt.Sprintf("%.3g Mb/s", bits/1e6)
	}
	return fmt.Sprintf("%.3g kb/s", bits/1e3)
}
