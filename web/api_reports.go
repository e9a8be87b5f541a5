package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/sizing/report"
	"lockstep/web/account"
)

// ReportCover is a report in a list: what is written on it.
type ReportCover struct {
	ID       string    `json:"id"`
	Edition  int       `json:"report_version"`
	Latest   int       `json:"latest_version"`
	Saved    time.Time `json:"saved"`
	Title    string    `json:"title"`
	Customer string    `json:"customer,omitempty"`
	Author   string    `json:"author,omitempty"`
	Seller   string    `json:"seller,omitempty"`
	Contact  string    `json:"contact,omitempty"`
	Valid    string    `json:"valid_until,omitempty"`
	Notes    string    `json:"notes,omitempty"`
}

// ReportList is the document of GET reports.
type ReportList struct {
	Version int           `json:"version"`
	Reports []ReportCover `json:"reports"`
}

// ReportDocument is one version of a report with what is frozen in it.
type ReportDocument struct {
	Version int `json:"version"`
	ReportCover
	Content report.Document `json:"content"`
}

func coverOf(r report.Report) ReportCover {
	return ReportCover{
		ID: r.ID, Edition: r.Version, Latest: r.Latest, Saved: r.Saved.UTC(),
		Title: r.Cover.Title, Customer: r.Cover.Customer, Author: r.Cover.Author, Notes: r.Cover.Notes,
		Seller: r.Cover.Seller, Contact: r.Cover.Contact, Valid: r.Cover.Valid,
	}
}

// ListReports is the document of reports, in their order.
func ListReports(saved []report.Report) ReportList {
	list := ReportList{Version: 1, Reports: []ReportCover{}}
	for _, r := range saved {
		list.Reports = append(list.Reports, coverOf(r))
	}
	return list
}

// DocumentOf is the document of one version of a report.
func DocumentOf(r report.Report) ReportDocument {
	return ReportDocument{Version: 1, ReportCover: coverOf(r), Content: r.Content}
}

func (a *api) reportOperations() {
	if a.Reports == nil {
		return
	}
	add(a, account.Viewer, huma.Operation{
		OperationID: "list-reports", Method: http.MethodGet, Path: "/reports", Tags: []string{"reports"}, Summary: "The saved reports",
		Description: "The newest version of each, the one saved last first.", Errors: []int{http.StatusUnprocessableEntity},
	}, a.listedReports)
	add(a, account.Viewer, huma.Operation{
		OperationID: "read-report", Method: http.MethodGet, Path: "/reports/{id}", Tags: []string{"reports"}, Summary: "A report",
		Description: "Its newest version, unless another is asked for.", Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
	}, a.foundReport)
	a.compareOperation()
}

type listedReportsInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
}

type reportListOutput struct{ Body ReportList }

func (a *api) listedReports(ctx context.Context, in *listedReportsInput) (*reportListOutput, error) {
	saved, err := a.Reports.Latest(ctx, in.Limit)
	if err != nil {
		return nil, err
	}
	return &reportListOutput{ListReports(saved)}, nil
}

type foundReportInput struct {
	ID      string `path:"id" doc:"The report, such as 0007 or 7."`
	Edition int    `query:"report_version" minimum:"1" doc:"Which of its versions; the newest if absent."`
}

type reportOutput struct{ Body ReportDocument }

func (a *api) foundReport(ctx context.Context, in *foundReportInput) (*reportOutput, error) {
	found, err := a.Reports.Find(ctx, in.ID, max(in.Edition, 1))
	if err == nil && in.Edition == 0 && found.Latest > 1 {
		found, err = a.Reports.Find(ctx, in.ID, found.Latest)
	}
	if err != nil {
		return nil, err
	}
	return &reportOutput{DocumentOf(found)}, nil
}
