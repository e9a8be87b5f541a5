package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"lockstep/engine/trace"
	"lockstep/web"
)

// alone refuses a data folder beside a console, which has its own, and what
// says how to reach one where none is named.
func (f remoteFlags) alone(data dataFlag) error {
	if f.Console != "" {
		if data.Data != nil {
			return usage("data", errors.New("a console keeps its runs in a folder of its own; accepted without --console"))
		}
		return nil
	}
	for _, given := range [...]struct{ flag, value string }{{"token-file", f.Token}, {"console-pin", f.Pin}, {"ca-file", f.CAFile}} {
		if given.value != "" {
			return usage(given.flag, errors.New("accepted with --console ADDRESS"))
		}
	}
	return nil
}

// runs returns at most limit runs of a console, newest first.
func (f remoteFlags) runs(ctx context.Context, limit int) ([]trace.Run, error) {
	console, err := f.open()
	if err != nil {
		return nil, err
	}
	defer console.close()
	const most = 200 // of one answer
	runs := []trace.Run{}
	before := ""
	for limit > 0 {
		var list web.RunList
		query := url.Values{"limit": {fmt.Sprint(min(limit, most))}}
		if before != "" {
			query.Set("before", before)
		}
		if err := console.ask(ctx, http.MethodGet, "/runs?"+query.Encode(), nil, &list); err != nil {
			return nil, refusedRemote(err)
		}
		runs = append(runs, list.Runs...)
		limit -= len(list.Runs)
		if before = list.Next; before == "" {
			break
		}
	}
	return runs, nil
}

// run returns one run of a console.
func (f remoteFlags) run(ctx context.Context, id string) (trace.Run, error) {
	console, err := f.open()
	if err != nil {
		return trace.Run{}, err
	}
	defer console.close()
	var m web.Message
	err = console.ask(ctx, http.MethodGet, "/runs/"+url.PathEscape(id), nil, &m)
	var problem *problemDocument
	if errors.As(err, &problem) && problem.Status == http.StatusNotFound {
		return trace.Run{}, usageError{field: "id", message: fmt.Sprintf("%s: %s; console run list --console %s shows what there is", trace.ErrNoRun, id, f.Console)}
	}
	if err != nil {
		return trace.Run{}, refusedRemote(err)
	}
	return m.Run, nil
}
