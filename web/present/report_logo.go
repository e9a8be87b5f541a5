package present

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"time"

	"lockstep/sizing/report"
	"lockstep/views"
	"lockstep/views/locale"
)

// KeptLogo is what a form says of the logo that a draft has already: Data, as it
// was given a moment ago, or Version, of the report that the draft follows.
type KeptLogo struct {
	Keep    bool
	Data    string // in base64; empty for none
	Version int    // 0 for none
}

// ReadLogo reads what a form says of its logo.
func ReadLogo(values url.Values) KeptLogo {
	version, err := strconv.Atoi(values.Get("logo_version"))
	if err != nil {
		version = 0
	}
	return KeptLogo{Keep: values.Get("logo_keep") != "", Data: values.Get("logo_data"), Version: version}
}

// logoField is the field for the logo, with the one that the draft has already:
// a form cannot be given a file to begin with.
func logoField(l locale.Locale, d Draft) views.ReportLogo {
	v := views.ReportLogo{
		Label: l.T("report.logo"), Hint: l.T("report.logo.hint", locale.Values{"Bytes": report.MaxLogo >> 10, "Side": sizeGrouped(report.MaxLogoSide)}),
		Wrong: reportFlaw(l, d.Flaws, "logo", ""),
	}
	if width, height := d.Cover.LogoSize(); width > 0 {
		v.Data = base64.StdEncoding.EncodeToString(d.Cover.Logo)
		v.Keep = l.T("report.logo.keep", locale.Values{"Width": width, "Height": height})
	}
	return v
}

// logoURL is the address of a version's logo, empty where it has none.
func (f Frame) logoURL(saved report.Report) string {
	if len(saved.Cover.Logo) == 0 {
		return ""
	}
	return f.reportURL(saved) + "/logo.png"
}

// logoName is what a logo is to those who do not see it: the seller, or that it
// is a logo.
func logoName(saved report.Report, logo string) string {
	if saved.Cover.Seller != "" {
		return saved.Cover.Seller
	}
	return logo
}

// ReportExpired says in the language of l that a report no longer holds, empty
// while it does.
func ReportExpired(l locale.Locale, saved report.Report, now time.Time) string {
	if !saved.Cover.Expired(now) {
		return ""
	}
	return l.T("report.expired", locale.Values{"Date": saved.Cover.Valid})
}
