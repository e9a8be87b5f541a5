package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"lockstep/engine/trace"
	"lockstep/web/account"
)

// Metrics are what a console counts about itself, for Prometheus: GET /metrics.
// No label names a person, a token, a run or an address. It is safe for
// concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	ended    *prometheus.CounterVec   // runs, by outcome
	seconds  *prometheus.HistogramVec // of runs, by outcome
	bytes    prometheus.Counter
	requests *prometheus.CounterVec // by method, route and status
	took     *prometheus.HistogramVec
}

// NewMetrics returns the metrics of a process of the given version.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lockstep_runs_total", Help: "Runs that have ended, by outcome.",
		}, []string{"outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lockstep_run_duration_seconds", Help: "How long runs were running, warm-ups and verification included, by outcome.",
			Buckets: prometheus.ExponentialBuckets(0.01, 4, 10),
		}, []string{"outcome"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "lockstep_run_sent_bytes_total", Help: "Bytes that ranks have sent in the iterations that ended, warm-ups included.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lockstep_http_requests_total", Help: "Requests answered, by method, pattern of the route and status.",
		}, []string{"method", "route", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lockstep_http_request_duration_seconds", Help: "How long answers took, by pattern of the route; open WebSockets are left out.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 8),
		}, []string{"route"}),
	}
	for _, outcome := range []trace.Outcome{trace.Done, trace.Failed, trace.Cancelled} { // so that a rate has a beginning
		m.ended.WithLabelValues(string(outcome))
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "lockstep_build_info", Help: "1, labelled with the version of the program.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.ended, m.seconds, m.bytes, m.requests, m.took, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector())
	return m
}

// RunEnded counts a run that has ended, with the latest of its events.
func (m *Metrics) RunEnded(run trace.Run, events []trace.Event) {
	m.ended.WithLabelValues(string(run.Outcome)).Inc()
	if run.Started.IsZero() { // cancelled while it waited
		return
	}
	m.seconds.WithLabelValues(string(run.Outcome)).Observe(run.Elapsed(time.Now()).Seconds())
	if len(run.Iterated) == 0 {
		return
	}
	sent := 0 // of one iteration: the latest that ended sent what all of them do
	for _, e := range events {
		if e.Side == trace.Sent {
			sent += e.Bytes
		}
	}
	m.bytes.Add(float64(sent) * float64(run.Warmups()+len(run.Iterated)))
}

// metered counts requests under the pattern of their route: addresses
// themselves would be without number.
func (s *server) metered(next http.Handler) http.Handler {
	m := s.Metrics
	if m == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		watched := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			route, status := "none", watched.Status()
			if at := chi.RouteContext(r.Context()); at != nil && at.RoutePattern() != "" {
				route = at.RoutePattern()
			}
			if status == 0 {
				status = http.StatusOK
			}
			m.requests.WithLabelValues(methodWord(r.Method), route, strconv.Itoa(status)).Inc()
			if status != http.StatusSwitchingProtocols {
				m.took.WithLabelValues(route).Observe(time.Since(begun).Seconds())
			}
		}()
		next.ServeHTTP(watched, r)
	})
}

// methodWord keeps made-up methods from making series without number.
func methodWord(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodPut, http.MethodPatch, http.MethodOptions:
		return method
	}
	return "other"
}

// metricsRoute answers Prometheus, which brings a token. It says too much about a
// console and its cluster to be open.
func (s *server) metricsRoute(r chi.Router) {
	if s.Metrics == nil {
		return
	}
	s.Metrics.registry.MustRegister(standing{s})
	answer := promhttp.HandlerFor(s.Metrics.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError, MaxRequestsInFlight: 4})
	r.Get("/metrics", s.handle(func(w http.ResponseWriter, r *http.Request) error {
		if err := may(r, account.Viewer); err != nil {
			return err
		}
		w.Header().Set("Cache-Control", "no-store")
		answer.ServeHTTP(w, r)
		return nil
	}))
}
