package paper

import (
	"strconv"
	"strings"

	"lockstep/sizing/report"
)

// Line is a line of a cover: what it says, and what that is called.
type Line struct{ Name, Value string }

// Edition is the number of a report with its version, in the sheet's words.
func Edition(r report.Report, s report.Sheet) string {
	return strings.NewReplacer("{number}", Number(r), "{version}", strconv.Itoa(r.Version)).Replace(s.Labels.Edition)
}

// Number is how a report is called.
func Number(r report.Report) string { return "LS-" + r.ID }

// Name is what a file of a report is called, without its ending.
func Name(r report.Report, lang string) string {
	return Number(r) + "-v" + strconv.Itoa(r.Version) + "-" + lang
}

// Author is whoever stands for a report: the seller and who wrote it.
func Author(r report.Report) string { return strings.TrimSpace(r.Cover.Seller + " " + r.Cover.Author) }

// Front is what stands on the cover of a report beside its title and its notes.
func Front(r report.Report, s report.Sheet) []Line {
	var all []Line
	for _, l := range []Line{
		{s.Labels.Customer, r.Cover.Customer}, {s.Labels.Seller, r.Cover.Seller}, {s.Labels.Contact, r.Cover.Contact}, {s.Labels.Author, r.Cover.Author},
		{s.Labels.Date, r.Saved.Format("2006-01-02")}, {s.Labels.Valid, r.Cover.Valid}, {s.Labels.Number, Edition(r, s)},
	} {
		if l.Value != "" {
			all = append(all, l)
		}
	}
	return all
}
