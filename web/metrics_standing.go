package web

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lockstep/cluster/inventory"
)

// Unfinished counts the runs that have not ended, of all processes on the data.
type Unfinished interface {
	Unfinished(ctx context.Context) (queued, running int, err error)
}

// The gauges of how a console stands, which are read when they are asked for.
var (
	queuedDesc   = prometheus.NewDesc("lockstep_runs_queued", "Runs that wait for their turn.", nil, nil)
	runningDesc  = prometheus.NewDesc("lockstep_runs_running", "Runs that are running: 0 or 1.", nil, nil)
	watchersDesc = prometheus.NewDesc("lockstep_watchers", "Who follows a run at this moment.", nil, nil)
	nodesDesc    = prometheus.NewDesc("lockstep_nodes", "Nodes of the cluster, by standing.", []string{"standing"}, nil)
)

// standing collects those gauges.
type standing struct{ *server }

// Describe names what Collect sends.
func (s standing) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queuedDesc, runningDesc, watchersDesc, nodesDesc} {
		to <- d
	}
}

// Collect reads how the console stands.
func (s standing) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	if s.Unfinished != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if queued, running, err := s.Unfinished.Unfinished(ctx); err != nil {
			to <- prometheus.NewInvalidMetric(queuedDesc, err)
		} else {
			gauge(queuedDesc, queued)
			gauge(runningDesc, running)
		}
	}
	if s.feeds != nil {
		gauge(watchersDesc, s.feeds.watchers())
	}
	by := map[inventory.Standing]int{inventory.Ready: 0, inventory.Draining: 0, inventory.Offline: 0, inventory.Revoked: 0}
	for _, m := range s.joined() {
		by[m.Standing]++
	}
	for word, n := range by {
		gauge(nodesDesc, n, string(word))
	}
}

// watchers counts who follows any run.
func (f *feeds) watchers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, one := range f.open {
		n += one.watchers
	}
	return n
}
