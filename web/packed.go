package web

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5/middleware"

	"lockstep/web/auth"
)

// packedTypes are what is worth packing. Pictures of pixels, films, printed
// documents and backups are packed already.
var packedTypes = []string{"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"}

// packed sends what follows gzipped to whoever accepts that.
//
// Packing tells an eavesdropper how alike two parts of an answer are. Where one
// part is a secret and another can be brought in by whoever made the address,
// the secret can be guessed letter by letter (BREACH, CVE-2013-3587). So packed
// is only for routes whose answers hold no secret: static files, and pages that
// everyone who reaches the console may read. No page holds a token against
// forged requests; that is what Origin and Sec-Fetch-Site are for. Pages that
// need a session are never packed: among them are those that show a new token,
// an opening key or a share link. What is open to everyone but knows more of
// who has a session stays unpacked for them; see openToSession.
func packed(next http.Handler) http.Handler {
	packing := middleware.Compress(gzip.DefaultCompression, packedTypes...)(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, in := auth.From(r.Context()); !acceptsGzip(r.Header.Values("Accept-Encoding")) || in && !openToSession(r.URL.Path) {
			w.Header().Add("Vary", "Accept-Encoding") // as packing says, too
			next.ServeHTTP(w, r)
			return
		}
		packing.ServeHTTP(w, r)
	})
}

// openToSession reports whether a page says the same to a session as to
// everyone, but for the name in its head: lessons do. The home page lists
// runs, and /size knows machines and entries of its own.
func openToSession(path string) bool {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return rest == "learn" || strings.HasPrefix(rest, "learn/")
}

// acceptsGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func acceptsGzip(headers []string) bool {
	accepted, named := false, false
	for _, coding := range strings.Split(strings.ToLower(strings.Join(headers, ",")), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		name = strings.TrimSpace(name)
		if name != "gzip" && (name != "*" || named) { // what is named counts before what is not
			continue
		}
		accepted, named = true, name == "gzip"
		if q, found := strings.CutPrefix(strings.TrimSpace(weight), "q="); found {
			v, err := strconv.ParseFloat(q, 64)
			accepted = err == nil && v > 0
		}
	}
	return accepted
}
