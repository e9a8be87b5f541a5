// Package paper writes the sheets of saved reports as files: PDF, Markdown and
// CSV. The same report always gives the same bytes.
package paper
