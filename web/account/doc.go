// Package account holds the nouns of access and their rules: who may come in
// and what they may do then. A person comes in with an opening key or with the
// password of a User, a program with a Token; either way what they do is done
// by an Actor with a Role, and what matters is kept as an AuditEntry. The
// package keeps nothing and talks to nobody; store saves these nouns and
// web/auth puts the rules to use.
package account
