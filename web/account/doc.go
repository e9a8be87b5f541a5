// Package account holds the nouns of access and their rules: the opening key
// that lets a person in, and the session it opens. It keeps nothing and talks
// to nobody; store saves these nouns and web/auth puts the rules to use.
package account
