package present

import (
	popcount "math/bits"
	"regexp"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views/locale"
)

var (
	formSigns     = strings.NewReplacer("**", "^", "*", "·", "-", "−", "==", "=", "!=", "≠", "<=", "≤", ">=", "≥")
	formCondition = regexp.MustCompile(` if (.+?) else `)
	formPower     = regexp.MustCompile(`\bp\b`)
	formPieces    = regexp.MustCompile(`\bk\b`)
	formNode      = regexp.MustCompile(`\bG\b`)
	// formSeveral writes closed forms for more than one rank: their factor that is
	// 0 for one rank is 1.
	formSeveral = strings.NewReplacer("*min(n-1, 1)", "", "min(n-1, 1)*", "", "min(n-1, 1)", "1")
)

// typeset writes a closed form as pages write formulas, for ranks; what it says
// of a single rank alone is left out beside more of them.
func typeset(l locale.Locale, e schedule.Expr, ranks int) string {
	text := e.String()
	if ranks > 1 {
		text = formSeveral.Replace(strings.TrimSuffix(text, " if n > 1 else 0"))
	}
	return typesetText(l, text)
}

// typesetText writes the text of a closed form as pages write formulas.
func typesetText(l locale.Locale, text string) string {
	text = formCondition.ReplaceAllStringFunc(text, func(match string) string {
		condition := formCondition.FindStringSubmatch(match)[1]
		condition = strings.NewReplacer(" and ", " "+l.T("form.and")+" ", " or ", " "+l.T("form.or")+" ").Replace(condition)
		return l.T("form.where", locale.Values{"Then": "", "If": condition, "Else": ""})
	})
	return formSigns.Replace(text)
}

// largestPower is the largest power of two up to n, which is at least 1.
func largestPower(n int) int { return 1 << (popcount.Len(uint(n)) - 1) }
