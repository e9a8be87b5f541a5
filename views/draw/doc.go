// Package draw turns numbers and words into SVG: pure geometry, no domain.
//
// Every drawing takes its colours from the page's style sheet by class, so one
// drawing serves both themes and print. A colour is never alone: each hue has
// a pattern of its own. Classes begin with cell- and g-.
package draw
