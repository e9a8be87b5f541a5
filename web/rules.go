package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
)

// maxBody is the most that a request may carry, in bytes. Today's forms hold
// one short field.
const maxBody = 64 << 10

// maxRunBody is the most that the request for a run may carry, in bytes. Only
// those who may start runs have it read.
const maxRunBody = 16 << 20

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

// strictTransport has browsers come by TLS alone for half a year. It goes only
// with a certificate that others vouch for: with any other one, browsers would
// no longer let a person decide to go on. And only on the usual port: it holds
// for the whole host, on which other services may speak plain HTTP.
const strictTransport = "max-age=15552000"

func (s *server) secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range securityHeaders {
			w.Header().Set(name, value)
		}
		if s.Access.TLS && s.Access.Trusted && s.Port == 443 {
			w.Header().Set("Strict-Transport-Security", strictTransport)
		}
		next.ServeHTTP(w, r)
	})
}

// Hosts returns the Host headers that names of the console come as: with its
// port, and without where browsers leave it out. Names are host names and IP
// addresses; secure says that the console speaks TLS.
func Hosts(names []string, port int, secure bool) []string {
	usual := 80
	if secure {
		usual = 443
	}
	var hosts []string
	for _, name := range names {
		host := net.JoinHostPort(strings.ToLower(name), strconv.Itoa(port))
		hosts = append(hosts, host)
		if port == usual {
			hosts = append(hosts, strings.TrimSuffix(host, ":"+strconv.Itoa(usual)))
		}
	}
	return hosts
}

// LoopbackHosts returns the Host headers of a listener on a loopback address
// without TLS: the names of loopback and the host it was told to listen on.
func LoopbackHosts(listen string, port int) []string {
	return Hosts([]string{"127.0.0.1", "localhost", "::1", listen}, port, false)
}

type addressKey struct{}

// addressed makes known to next from where the request comes.
func addressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), addressKey{}, addressOf(r))))
	})
}

// addressOf is the network address that a request comes from, without port. No
// proxy stands before a console.
func addressOf(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return at.Addr().Unmap().WithZone("").String()
}

// addressIn is that of the request of ctx, empty where there is none.
func addressIn(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// neighbourhood is what requests are counted by: an address, or the 64 bits of
// an IPv6 address that belong to one customer.
func neighbourhood(address string) string {
	at, err := netip.ParseAddr(address)
	if err != nil || at.Is4() {
		return address
	}
	prefix, _ := at.Prefix(64) // 64 bits there are
	return prefix.String()
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

// bodyLimit is the most that the body of a request may be, in bytes. A run may
// bring its schedule, and logs of benchmarks are long.
func bodyLimit(method, path string) int64 {
	switch {
	case method == http.MethodPost && path == apiRoot+"/runs":
		return maxRunBody
	case method == http.MethodPost && (path == apiRoot+"/imports" || path == "/zh/diagnose" || path == "/en/diagnose"):
		return maxLogBody
	case method == http.MethodPost && (strings.HasPrefix(path, "/zh/catalog/") || strings.HasPrefix(path, "/en/catalog/")):
		return maxEntryBody
	case method == http.MethodPost && (path == "/zh/reports" || path == "/en/reports"):
		return maxReportBody
	}
	return maxBody
}

func limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit(r.Method, r.URL.Path))
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
