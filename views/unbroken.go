package views

import "regexp"

// quantity is a figure and its unit, such as 21.6 ms or 12.5 GB/s.
var quantity = regexp.MustCompile(`([0-9]) ((?:[µmn]?s|[kMGT]?i?B|[kMGT]?B/s|[MGT]b/s)(?:[^A-Za-z/]|$))`)

// unbroken keeps every figure of a sentence that is set large on one line with
// its unit.
func unbroken(sentence string) string {
	return quantity.ReplaceAllString(sentence, "$1\u00a0$2")
}
