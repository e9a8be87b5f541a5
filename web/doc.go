// Package web answers the browser: routes, handlers, and the rules that hold
// for every request.
//
// The rules, from the outside in: every request is logged, without secrets; a
// panic is an error page; every answer carries the security headers; a Host
// that is not the console's own is refused (a page elsewhere may have its name
// point here); a change asked for by another site is refused; bodies are
// limited. Handlers return errors, and one table turns an error into a status
// and a message in the visitor's language.
//
// What the handlers need from the rest of the program stands in Config as
// small interfaces; cmd/console joins them.
package web
