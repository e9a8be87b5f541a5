package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	frozen "lockstep/sizing/report"
	"lockstep/static"
	"lockstep/store"
	"lockstep/views/locale"
	"lockstep/web"
	"lockstep/web/present"
)

type reportCommands struct {
	List    reportListCommand    `cmd:"" help:"List the saved reports, the one saved last first."`
	Show    reportShowCommand    `cmd:"" help:"Print a saved report."`
	Compare reportCompareCommand `cmd:"" help:"Print in what two saved reports differ."`
	Export  reportExportCommand  `cmd:"" help:"Write a saved report to a file."`
}

// languageFlag is the language in which a report is read.
type languageFlag struct {
	Lang string `default:"en" placeholder:"LANG" help:"Language of the report: zh or en (default: en)."`
}

func (f languageFlag) locale() (locale.Locale, error) {
	texts, err := locale.Load()
	if err != nil {
		return locale.Locale{}, err
	}
	l, known := texts.In(f.Lang)
	if !known {
		return locale.Locale{}, usage("lang", fmt.Errorf("%q is no language of reports; accepted: zh or en", f.Lang))
	}
	return l, nil
}

type reportListCommand struct {
	dataFlag
	languageFlag
	Limit int  `default:"50" placeholder:"N" help:"How many at most (default: 50)."`
	JSON  bool `name:"json" help:"One JSON document."`
}

// Run prints the newest version of each saved report.
func (c reportListCommand) Run(ctx context.Context, term terminal) (err error) {
	if c.Limit < 1 {
		return usage("limit", fmt.Errorf("%d reports; accepted: 1 or more", c.Limit))
	}
	l, err := c.locale()
	if err != nil {
		return err
	}
	dir, saved, err := c.saved()
	if err != nil {
		return err
	}
	var reports []frozen.Report
	if saved {
		db, err := store.Open(ctx, dir)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		if reports, err = db.Reports().Latest(ctx, c.Limit); err != nil {
			return err
		}
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(web.ListReports(reports))
	}
	if len(reports) == 0 {
		_, err := fmt.Fprintf(term.out, "no saved reports in %s; the pages under Size of the web console save them\n", dir)
		return err
	}
	table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tSAVED\tTITLE\tHEADLINE")
	for _, r := range reports {
		fmt.Fprintf(table, "%s/%d\t%s\t%s\t%s\n", r.ID, r.Version,
			r.Saved.Local().Format(time.DateTime), r.Cover.Title, r.Content.Words[l.Lang()].Headline)
	}
	return table.Flush()
}

type reportShowCommand struct {
	dataFlag
	languageFlag
	ID   string `arg:"" help:"The report, such as 0007 or 7 for its newest version, or 7/2 for its second."`
	JSON bool   `name:"json" help:"The report as one JSON document."`
}

// Run prints one saved report as Markdown, which reads well as it is.
func (c reportShowCommand) Run(ctx context.Context, term terminal) error {
	l, err := c.locale()
	if err != nil {
		return err
	}
	found, err := c.report(ctx, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(web.DocumentOf(found))
	}
	file, _, err := present.ReportFileOf(l, found, "markdown", "")
	if err != nil {
		return err
	}
	_, err = term.out.Write(file.Content)
	return err
}

type reportExportCommand struct {
	dataFlag
	languageFlag
	ID     string `arg:"" help:"The report, such as 0007 or 7 for its newest version, or 7/2 for its second."`
	Format string `default:"pdf" placeholder:"FORMAT" help:"pdf, html, xlsx, md, csv or json (default: pdf)."`
	Out    string `short:"o" placeholder:"FILE" help:"Where to write it; the file must not exist yet. Default: the report's own name in this folder; - is standard output."`
	JSON   bool   `name:"json" help:"Name and size of the file as one JSON document."`
}

// reportExported is the document of report export --json.
type reportExported struct {
	Version int    `json:"version"`
	File    string `json:"file"`
	Bytes   int    `json:"bytes"`
}

// Run writes one saved report to a file, the same as the web console gives.
func (c reportExportCommand) Run(ctx context.Context, term terminal) error {
	l, err := c.locale()
	if err != nil {
		return err
	}
	if c.Out == "-" && c.JSON {
		return usage("json", errors.New("standard output already holds the report; accepted: --json with a file"))
	}
	format := c.Format
	if format == "md" {
		format = "markdown"
	}
	if !slices.Contains(present.ReportFormats(), format) {
		return usage("format", fmt.Errorf("%q is no format of reports; accepted: pdf, html, xlsx, md, csv or json", c.Format))
	}
	found, err := c.report(ctx, c.ID)
	if err != nil {
		return err
	}
	files, err := static.New()
	if err != nil {
		return err
	}
	file, _, err := present.ReportFileOf(l, found, format, present.PaperStyle(files.Text))
	if err != nil {
		return err
	}
	if c.Out == "-" {
		_, err := term.out.Write(file.Content)
		return err
	}
	name := c.Out
	if name == "" {
		name = file.Name
	}
	if err := writeNew(name, file.Content); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(term.out).Encode(reportExported{Version: 1, File: name, Bytes: len(file.Content)})
	}
	_, err = fmt.Fprintf(term.out, "%s: %d bytes\n", name, len(file.Content))
	return err
}

// writeNew writes a file that does not exist yet, and leaves none that is cut
// short.
func writeNew(name string, content []byte) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return usage("out", fmt.Errorf("%s exists; accepted: the name of a file that does not", name))
	case err != nil:
		return usage("out", err)
	}
	_, err = out.Write(content)
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(fmt.Errorf("write the report: %w", err), os.Remove(name))
	}
	return nil
}

// report finds the version of a report that an argument names: ID for the
// newest, ID/VERSION for another.
func (f dataFlag) report(ctx context.Context, named string) (found frozen.Report, err error) {
	id, edition, chosen := strings.Cut(named, "/")
	version := 1
	if chosen {
		if version, err = strconv.Atoi(edition); err != nil || version < 1 {
			return found, usageError{field: "id", message: fmt.Sprintf("%q is no report; accepted: its number, such as 7, or with a version, such as 7/2", named)}
		}
	}
	dir, saved, err := f.saved()
	switch {
	case err != nil:
		return found, err
	case !saved:
		return found, usageError{field: "id", message: fmt.Sprintf("%s: %s; there are no saved reports in %s", frozen.ErrNone, named, dir)}
	}
	db, err := store.Open(ctx, dir)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	found, err = db.Reports().Find(ctx, id, version)
	if err == nil && !chosen && found.Latest > 1 {
		found, err = db.Reports().Find(ctx, id, found.Latest)
	}
	if errors.Is(err, frozen.ErrNone) {
		return found, usageError{field: "id", message: err.Error() + "; console report list shows what there is"}
	}
	return found, err
}
