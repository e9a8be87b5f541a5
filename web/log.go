package web

import (
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// logged writes one line for each request. Probes and files that went well
// are left to the debug level: they would drown the rest.
func (s *server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		watched := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		target := redacted(r.URL)
		next.ServeHTTP(watched, r)
		level := slog.LevelInfo
		if status := watched.Status(); status < 400 && quiet(r.URL.Path) {
			level = slog.LevelDebug
		}
		s.Log.LogAttrs(r.Context(), level, "request",
			slog.String("method", r.Method),
			slog.String("target", target),
			slog.Int("status", watched.Status()),
			slog.Duration("took", time.Since(start).Round(time.Microsecond)))
	})
}

func quiet(path string) bool {
	return path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, "/static/")
}

// redacted is the path with the names of the query's parameters, without
// their values: a key is one of them. What could be a key within the path is
// left out too: some programs encode the question mark of an address.
func redacted(u *url.URL) string {
	path := secret.ReplaceAllString(u.Path, "…")
	query := u.Query()
	if len(query) == 0 {
		return path
	}
	names := strings.Join(slices.Sorted(maps.Keys(query)), "&")
	return path + "?" + secret.ReplaceAllString(names, "…")
}

// secret is as long as a key or a token and as varied.
var secret = regexp.MustCompile(`[A-Za-z0-9_-]{20,}`)
