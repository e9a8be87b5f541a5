// Package static holds the files that pages load: style sheets, scripts and
// pictures, embedded in the program. Each has a URL that changes with the
// content, so browsers may keep it for good.
package static
