// Package views renders pages. Each page is one templ component fed by one
// struct whose values are already decided: sorted, formatted, in the visitor's
// language where they depend on data. Components choose the words around them
// and nothing else; they cannot compute, because they see no domain type.
//
// Changing a .templ file: go tool -modfile=tools.mod templ generate. The
// generated files are committed.
package views
