package present

import (
	"strconv"
	"time"

	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// shareDays are how long a link may be asked to open a report, the usual first.
var shareDays = [...]int{30, 7, 90, 365}

// ShareLifetime reads how long a link is to open a report. What cannot be read
// is the usual time.
func ShareLifetime(days string) time.Duration {
	n, err := strconv.Atoi(days)
	lifetime := time.Duration(n) * 24 * time.Hour
	if err != nil || n < 1 || n > int(report.LongestShare/(24*time.Hour)) {
		return report.UsualShare
	}
	return lifetime
}

// reportFiles lead to a report as files.
func reportFiles(l locale.Locale, at string, formats []string) []views.ReportFile {
	names := map[string]string{
		"pdf": "report.export.pdf", "html": "report.export.html", "xlsx": "report.export.xlsx", "markdown": "report.export.markdown", "csv": "report.export.csv", "json": "report.export.json",
	}
	var files []views.ReportFile
	for _, format := range formats {
		files = append(files, views.ReportFile{Name: l.T(names[format]), URL: at + "?format=" + format})
	}
	return files
}

// ReportShares presents the links to a report; made is one that has just been
// made, empty for none.
func ReportShares(f Frame, asked locale.Locale, saved report.Report, shares []report.Share, made string) views.ReportShares {
	l, at := f.Locale, f.reportURL(saved)
	v := views.ReportShares{Action: at + "/share?lang=" + asked.Lang(), RevokeURL: at + "/unshare", Made: made}
	for _, days := range shareDays {
		v.Days = append(v.Days, views.SizeOption{Value: strconv.Itoa(days), Name: l.T("report.share.days.option", locale.Values{"Days": days})})
	}
	for _, s := range shares {
		by := s.By
		switch by {
		case "":
			by = l.T("report.share.someone")
		case string(account.ByKey):
			by = l.T("session.nobody")
		}
		v.Live = append(v.Live, views.ReportShare{ID: s.ID, Says: l.T("report.share.live", locale.Values{
			"By": by, "Made": s.Created.Format("2006-01-02 15:04"), "Until": s.Expires.Format("2006-01-02"),
		})})
	}
	return v
}

// SharedReport presents a report to whoever has its link, in the language of f,
// at the address of the link.
func SharedReport(f Frame, saved report.Report, at string) views.SharedReport {
	l := f.Locale
	page := f.page(saved.Cover.Title)
	page.Bare, page.Script, page.Session = true, "", false
	page.Other.URL = at + "?lang=" + f.Other.Lang()
	v := views.SharedReport{Page: page, Sheet: paperOf(l, saved, sheetOf(l, saved))}
	if len(saved.Cover.Logo) > 0 {
		v.Sheet.Logo = at + "/logo.png"
	}
	for _, file := range reportFiles(l, at+"/file", SharedFormats()) {
		file.URL += "&lang=" + l.Lang()
		v.Files = append(v.Files, file)
	}
	v.Files = append(v.Files, views.ReportFile{Name: f.Other.T("report.language"), URL: page.Other.URL, Lang: f.Other.Tag()})
	return v
}

// SharedFormats are what whoever has a link may take along.
func SharedFormats() []string { return []string{"pdf", "html"} }
