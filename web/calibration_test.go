package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/sizing/calibrate"
)

// stillMachine is how it stands with the calibration of a machine.
type stillMachine struct {
	found  calibrate.Calibration
	none   error
	under  bool
	failed error
	asked  int
}

func (m *stillMachine) Calibration(context.Context) (calibrate.Calibration, error) {
	return m.found, m.none
}

func (m *stillMachine) Calibrating() (calibrate.Progress, bool, error) {
	return calibrate.Progress{Done: 7, Of: 40}, m.under, m.failed
}

func (m *stillMachine) Recalibrate() { m.asked++ }

func TestTheFormSaysHowTheMachineIsCalibrated(t *testing.T) {
	m := &stillMachine{none: calibrate.ErrNone}
	c, _, _, _ := withRuns(t, func(config *Config) { config.Calibrator = m })
	session := c.enter(t)
	const button = `formaction="/en/runs/calibrate"`
	page := func(what string, with []string, without ...string) {
		t.Helper()
		text := body(t, c.get("/en/runs/new?n=2", session))
		for _, want := range with {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page lacks %q", what, want)
			}
		}
		for _, unwanted := range without {
			if strings.Contains(text, unwanted) {
				t.Errorf("%s: the page has %q", what, unwanted)
			}
		}
	}
	page("not calibrated", []string{"Not calibrated", button})
	m.under = true
	page("under way", []string{"7 runs measured so far"}, button)
	m.under, m.none = false, nil
	m.found = calibrate.Calibration{
		Made: time.Now(), Found: []calibrate.Found{{Link: trace.TCP, Ranks: 2}},
		Measured: []calibrate.Measured{
			{Link: trace.TCP, Collective: "all-reduce", Ranks: 2, Size: 8, Time: 5.5e-6},
			{Link: trace.TCP, Collective: "all-reduce", Ranks: 2, Size: 1 << 20, Time: 500e-6},
		},
	}
	page("calibrated", []string{"TCP loopback, 2 ranks: 5.5 us", "2.1 GB/s", button}, "Not calibrated", "failed")
	m.failed = errors.New("no sockets")
	page("failed", []string{"TCP loopback", "no sockets", button})
	m.none = errors.New("the disk is gone")
	wantStatus(t, "unreadable", c.get("/en/runs/new?n=2", session), http.StatusInternalServerError)
}

// The button leads back to the form as it was filled in, and needs what every
// change needs.
func TestCalibrateFromTheForm(t *testing.T) {
	m := &stillMachine{none: calibrate.ErrNone}
	c, _, _, _ := withRuns(t, func(config *Config) { config.Calibrator = m })
	session := c.enter(t)
	answer := c.post("/zh/runs/calibrate", asked("n", "3"), session)
	place := answer.Header.Get("Location")
	if answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(place, "/zh/runs/new?") || !strings.HasSuffix(place, "#calibration") ||
		!strings.Contains(place, "n=3") || !strings.Contains(place, "size=64kB") || m.asked != 1 {
		t.Errorf("status %d to %s, asked %d times", answer.StatusCode, place, m.asked)
	}
	foreign := c.post("/zh/runs/calibrate", asked(), session, header("Sec-Fetch-Site", "cross-site"))
	wantStatus(t, "from another site", foreign, http.StatusForbidden)
	wantRedirect(t, "without a session", c.post("/zh/runs/calibrate", nil), http.StatusSeeOther, "/zh/login")
	if m.asked != 1 {
		t.Errorf("asked %d times", m.asked)
	}
	none, _, _, _ := withRuns(t)
	wantStatus(t, "where nobody calibrates", none.post("/zh/runs/calibrate", nil, none.enter(t)), http.StatusNotFound)
}
