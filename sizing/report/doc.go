// Package report holds the frozen report: what was asked, what came out, with
// which program and which tables, and the sentences that were drawn from it in
// both languages. A saved version never changes; what a later program shows of
// it is read from here and computed from nothing else.
package report
