package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"lockstep/sizing/catalog"
)

// maxEntryBody is the most that the form of an own entry may carry, in bytes:
// JSON as a text and as a file, and the fields.
const maxEntryBody = 2*catalog.MaxEntry + maxBody + 16<<10

// uploadedEntry reads a form that may bring a file, in memory alone, and returns
// the file's text. One that is too long is cut behind what is too long already.
func uploadedEntry(r *http.Request) (string, error) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return "", parseForm(r)
	}
	err := r.ParseMultipartForm(maxEntryBody) // no more than that comes in
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return "", err
	} else if err != nil {
		return "", errors.Join(errBadForm, err)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	if err := printable(r.PostForm); err != nil {
		return "", err
	}
	headers := r.MultipartForm.File["file"]
	if len(headers) == 0 {
		return "", nil
	}
	file, err := headers[0].Open()
	if err != nil {
		return "", fmt.Errorf("open an uploaded entry: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, catalog.MaxEntry+1))
	if err != nil {
		return "", fmt.Errorf("read an uploaded entry: %w", err)
	}
	return string(text), nil
}
