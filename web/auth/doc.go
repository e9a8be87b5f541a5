// Package auth decides who is in: a key opens a session, a session is a cookie
// that lasts for a while, logging out ends it. Nothing here replaces or ends a
// session while answering a GET; handlers see to that by calling Open only for
// visitors without one.
package auth
