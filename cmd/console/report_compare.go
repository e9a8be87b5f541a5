package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	frozen "lockstep/sizing/report"
	"lockstep/web"
	"lockstep/web/present"
)

type reportCompareCommand struct {
	dataFlag
	languageFlag
	A    string `arg:"" help:"The first report, such as 7 for its newest version, or 7/2 for its second."`
	B    string `arg:"" help:"The second, like the first; of the same report or of another."`
	JSON bool   `name:"json" help:"What differs as one JSON document."`
}

// Run prints in what two saved versions differ.
func (c reportCompareCommand) Run(ctx context.Context, term terminal) error {
	l, err := c.locale()
	if err != nil {
		return err
	}
	var sides [2]frozen.Report
	for i, side := range []struct{ name, named string }{{"a", c.A}, {"b", c.B}} {
		var unusable usageError
		if sides[i], err = c.report(ctx, side.named); errors.As(err, &unusable) {
			return argument(side.name, unusable)
		} else if err != nil {
			return err
		}
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(web.ComparisonOf(l, sides[0], sides[1]))
	}
	_, err = io.WriteString(term.out, present.ComparedText(l, sides[0], sides[1]))
	return err
}
