package present

import (
	"fmt"
	"strings"
	"unicode"

	"lockstep/sizing/report"
	"lockstep/views/locale"
)

// ReportStyle is the style sheet of a report's printed pages: its title and
// number at their heads, what it is and the number of the page at their feet.
// The first page has its head in the text.
func ReportStyle(l locale.Locale, saved report.Report) string {
	const face = `font: 8pt "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif; color: #545a66;`
	box := func(place, content string) string {
		return fmt.Sprintf("  @%s { content: %s; %s }\n", place, content, face)
	}
	number := l.T("report.number.version", locale.Values{"Number": reportNumber(saved.ID), "Version": saved.Version})
	foot := l.T("report.foot", locale.Values{"Engine": saved.Content.Engine})
	return "@page {\n  size: A4;\n  margin: 17mm 17mm 18mm;\n" +
		box("top-left", cssString(saved.Cover.Title)) + box("top-right", cssString(number)) +
		box("bottom-left", cssString(foot)) + box("bottom-right", `counter(page) " / " counter(pages)`) +
		"}\n@page :first {\n  @top-left { content: \"\"; }\n  @top-right { content: \"\"; }\n}\n"
}

// cssString writes text as a string of a style sheet. Whatever is neither a
// letter nor a digit is written by its code point and the blank that ends it, so
// that nothing can end the string.
func cssString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\%x `, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
