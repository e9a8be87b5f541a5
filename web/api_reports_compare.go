package web

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/sizing/report"
	"lockstep/views/locale"
	"lockstep/web/account"
	"lockstep/web/present"
)

// ReportComparison is in what two versions of reports differ, as they are read
// in one language.
type ReportComparison struct {
	Version int             `json:"version"`
	Lang    string          `json:"lang"`
	A       ReportCover     `json:"a"`
	B       ReportCover     `json:"b"`
	Inputs  []ComparedPart  `json:"inputs"`
	Figures []ComparedPart  `json:"figures"`
	Words   []ComparedWords `json:"words"`
}

// ComparedPart is what differs in one block of the two.
type ComparedPart struct {
	Key     string           `json:"key"`
	Name    string           `json:"name"`
	Aside   bool             `json:"aside,omitempty"`
	Changes []ComparedChange `json:"changes"`
}

// ComparedChange is a figure or a cell that the two show differently; one side
// is absent where a report has no such row.
type ComparedChange struct {
	Name   string       `json:"name"`
	Column string       `json:"column,omitempty"`
	A      *report.Cell `json:"a,omitempty"`
	B      *report.Cell `json:"b,omitempty"`
	Ratio  *float64     `json:"ratio,omitempty"` // of b to a
}

// ComparedWords are lines that only one of the two says.
type ComparedWords struct {
	Key   string   `json:"key"`
	Name  string   `json:"name"`
	Aside bool     `json:"aside,omitempty"`
	OnlyA []string `json:"only_a"`
	OnlyB []string `json:"only_b"`
}

// ComparisonOf compares two versions as they are read in the language of l.
func ComparisonOf(l locale.Locale, a, b report.Report) ReportComparison {
	c := present.CompareSheets(l, a, b)
	d := ReportComparison{
		Version: 1, Lang: l.Lang(), A: coverOf(a), B: coverOf(b),
		Inputs: comparedParts(c.Inputs), Figures: comparedParts(c.Figures), Words: []ComparedWords{},
	}
	for _, w := range c.Words {
		d.Words = append(d.Words, ComparedWords{Key: w.Key, Name: w.Name, Aside: w.Aside, OnlyA: append([]string{}, w.OnlyA...), OnlyB: append([]string{}, w.OnlyB...)})
	}
	return d
}

func comparedParts(parts []report.Part) []ComparedPart {
	all := []ComparedPart{}
	for _, p := range parts {
		part := ComparedPart{Key: p.Key, Name: p.Name, Aside: p.Aside}
		for _, c := range p.Changes {
			change := ComparedChange{Name: c.Name, Column: c.Column, A: c.A, B: c.B}
			if ratio, ok := c.Ratio(); ok {
				change.Ratio = &ratio
			}
			part.Changes = append(part.Changes, change)
		}
		all = append(all, part)
	}
	return all
}

func (a *api) compareOperation() {
	add(a, account.Viewer, huma.Operation{
		OperationID: "compare-reports", Method: http.MethodGet, Path: "/reports/compare", Tags: []string{"reports"}, Summary: "In what two reports differ",
		Description: "Two versions, of one report or of two: the document of console report compare --json.", Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
	}, a.comparedReports)
}

type comparedReportsInput struct {
	A    string `query:"a" required:"true" doc:"The first: 7 for a report's newest version, 7/2 for its second."`
	B    string `query:"b" required:"true" doc:"The second, like a."`
	Lang string `query:"lang" enum:"zh,en" default:"en" doc:"The language in which the two are read."`
}

type reportComparisonOutput struct{ Body ReportComparison }

func (a *api) comparedReports(ctx context.Context, in *comparedReportsInput) (*reportComparisonOutput, error) {
	var unusable []WrongInput
	for _, side := range []struct{ name, asked string }{{"a", in.A}, {"b", in.B}} {
		if !present.IsReportName(side.asked) {
			unusable = append(unusable, WrongInput{Parameter: side.name, Message: fmt.Sprintf("%q; accepted: the number of a report, such as 7, or with a version, such as 7/2", side.asked)})
		}
	}
	if len(unusable) > 0 {
		return nil, wrong(unusable...)
	}
	first, err := a.namedReport(ctx, in.A)
	if err != nil {
		return nil, err
	}
	second, err := a.namedReport(ctx, in.B)
	if err != nil {
		return nil, err
	}
	l, _ := a.texts.In(in.Lang)
	return &reportComparisonOutput{ComparisonOf(l, first, second)}, nil
}
