package web

import (
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
)

// maxBody is the most that a request may carry, in bytes. Today's forms hold
// one short field.
const maxBody = 64 << 10

// securityHeaders stand on every answer. Nothing is loaded from elsewhere,
// nothing is inline, nobody frames the pages.
var securityHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy":              "same-origin",
	"X-Content-Type-Options":       "nosniff",
}

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range securityHeaders {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// LoopbackHosts returns the Host headers of a listener on a loopback address:
// the names of loopback and the host it was told to listen on, with its port.
func LoopbackHosts(listen string, port int) []string {
	var hosts []string
	for _, name := range []string{"127.0.0.1", "localhost", "::1", listen} {
		host := net.JoinHostPort(name, strconv.Itoa(port))
		hosts = append(hosts, host)
		if port == 80 { // browsers leave the port of the scheme out
			hosts = append(hosts, strings.TrimSuffix(host, ":80"))
		}
	}
	return hosts
}

// hosted refuses a Host that is not the console's own, on every path.
func (s *server) hosted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.hosts[strings.ToLower(r.Host)] {
			s.fail(w, r, errForeignHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin refuses a change that another site has made the browser ask for.
func (s *server) sameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.origins.Check(r); err != nil {
			s.fail(w, r, fmt.Errorf("%w: %w", errCrossOrigin, err))
			return
		}
		// That check believes Sec-Fetch-Site; an Origin beside it must agree.
		if origin := r.Header.Get("Origin"); origin != "" && changes(r) && origin != ownOrigin(r) {
			s.fail(w, r, fmt.Errorf("%w: it comes from %q", errCrossOrigin, origin))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// changes reports whether a request may change something.
func changes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions
}

// ownOrigin is the origin of the console as the request addresses it.
func ownOrigin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// recovered turns a panic into an error page and an entry in the log.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler: // the server's own way of giving up on an answer
				panic(cause)
			default:
				s.fail(w, r, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
