package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed css js img
var embedded embed.FS

// Prefix is the path under which pages find static files.
const Prefix = "/static/"

// Files serves the embedded files.
type Files struct {
	hash   string
	byName map[string]file
}

type file struct {
	content     []byte
	contentType string
}

// New reads the embedded files.
func New() (*Files, error) { return newFiles(embedded) }

func newFiles(from fs.FS) (*Files, error) {
	f := &Files{byName: map[string]file{}}
	sum := sha256.New()
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		contentType := contentTypes[path.Ext(name)]
		if contentType == "" {
			contentType = mime.TypeByExtension(path.Ext(name))
		}
		f.byName[name] = file{content, contentType}
		fmt.Fprintf(sum, "%s %d\n", name, len(content)) // names and lengths, so that no two trees hash alike
		sum.Write(content)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read static files: %w", err)
	}
	f.hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return f, nil
}

// contentTypes names the types that must not depend on the machine's tables:
// a browser refuses a module of another type.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// URL returns the path of a file, such as css/page.css. One hash covers all
// files, so that modules can import each other by relative paths.
func (f *Files) URL(name string) string { return Prefix + f.hash + "/" + name }

// Text returns what a file holds; empty for none.
func (f *Files) Text(name string) string { return string(f.byName[name].content) }

// lookup finds the file that a path names.
func (f *Files) lookup(urlPath string) (file, bool) {
	name, found := strings.CutPrefix(urlPath, f.URL(""))
	if !found {
		return file{}, false
	}
	named, found := f.byName[name]
	return named, found
}

// Has reports whether a path names a file, with the hash of this build.
func (f *Files) Has(urlPath string) bool {
	_, found := f.lookup(urlPath)
	return found
}

// Content returns a file by name, such as css/page.css, for what is made of it
// on the server; nil if there is none.
func (f *Files) Content(name string) []byte { return f.byName[name].content }

// ServeHTTP serves the file that the path names, for a year; what is not there
// is answered 404, which must not be kept.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := f.lookup(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", found.contentType)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Content-Length", strconv.Itoa(len(found.content)))
	_, _ = w.Write(found.content) // an error means that the visitor has left
}
