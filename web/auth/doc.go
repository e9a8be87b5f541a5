// Package auth decides who is in. A key or a password opens a session, which
// is a cookie that lasts for a while; logging out ends it, and so do a new
// password and the removal of the account. A program carries a token in each
// request instead. Who asks is an account.Actor in the context of the request;
// see From. Nothing here replaces or ends a session while answering a GET;
// handlers see to that by opening one only for visitors without.
package auth
