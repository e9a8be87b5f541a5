package account

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/secure/precis"
)

// MaxName is how long the name of an account may be, in characters.
const MaxName = 64

// Errors of accounts.
var (
	ErrName       = fmt.Errorf("name cannot be used; accepted are 1 to %d letters, digits and . _ - @, beginning with a letter or digit", MaxName)
	ErrNoUser     = errors.New("no such account")
	ErrUserExists = errors.New("account exists already")
	// ErrLastAdmin says that a console on a network would be left without an
	// account that may look after it.
	ErrLastAdmin = errors.New("this is the last account with the role admin, and a console on a network needs one")
	// ErrLoginRefused says that a name and a password do not belong together.
	// Whether there is such an account is not told.
	ErrLoginRefused = errors.New("name and password do not belong together")
	ErrRole         = errors.New("role is unknown; accepted are viewer, presenter and admin")
)

// User is an account: a person who comes in with a name and a password.
type User struct {
	Name string // as ParseName returns it
	Role Role
	Hash string // of the password; see Passwords
	// Epoch is what sessions of this account are held against: those that were
	// opened under another are over.
	Epoch   string
	Created time.Time
	Changed time.Time // when the password was set
}

// ParseName returns the name of an account in the one spelling that it is kept
// and compared in: lower case, composed (the profile UsernameCaseMapped of RFC
// 8265). The error wraps ErrName.
func ParseName(text string) (string, error) {
	if len(text) > 8*utf8.UTFMax*MaxName { // before any work: strangers send names too
		return "", fmt.Errorf("%q: %w", clip(text[:utf8.UTFMax*MaxName]), ErrName)
	}
	name, err := precis.UsernameCaseMapped.String(strings.TrimSpace(text))
	if err != nil || name == "" || utf8.RuneCountInString(name) > MaxName {
		return "", fmt.Errorf("%q: %w", clip(text), ErrName)
	}
	if slices.Contains(notNames, name) {
		return "", fmt.Errorf("%q stands for whoever has no account: %w", name, ErrName)
	}
	for i, r := range name {
		plain := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !plain && (i == 0 || !unicode.IsMark(r) && !strings.ContainsRune("._-@", r)) {
			return "", fmt.Errorf("%q: %w", clip(text), ErrName)
		}
	}
	return name, nil
}

// notNames are what the audit log calls those who came in without an account.
var notNames = []string{string(ByKey), string(ByPassword), string(ByToken), "command"}

// clip shortens what is quoted in an error.
func clip(text string) string {
	if runes := []rune(text); len(runes) > MaxName {
		return string(runes[:MaxName]) + "…"
	}
	return text
}

// NewEpoch returns an Epoch that no session knows yet.
func NewEpoch() string { return rand.Text() }

// ParseRole reads a role. The error wraps ErrRole.
func ParseRole(text string) (Role, error) {
	if role := Role(text); slices.Contains(Roles(), role) {
		return role, nil
	}
	return "", fmt.Errorf("%q: %w", clip(text), ErrRole)
}
