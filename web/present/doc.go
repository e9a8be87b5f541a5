// Package present turns what the program knows into what a page shows: it
// picks, sorts, formats and phrases, and hands views plain values. Presenters
// are pure functions of their input.
package present
