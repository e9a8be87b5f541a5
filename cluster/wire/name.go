package wire

import (
	"fmt"
	"strings"
)

// maxName is what a run may name (trace.Spec.Nodes).
const maxName = 64

// CheckName says why text cannot be a node's name, or nil. A name is a word in
// lists, in --nodes a,b and in URLs.
func CheckName(text string) error {
	bad := text == "" || len(text) > maxName || !alphanumeric(rune(text[0])) ||
		strings.ContainsFunc(text, func(r rune) bool { return !alphanumeric(r) && r != '-' && r != '_' && r != '.' })
	if bad {
		return fmt.Errorf("%q is no name for a node; accepted: 1 to %d letters (a-z), digits, -, _ and ., beginning with a letter or digit", text, maxName)
	}
	return nil
}

func alphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
