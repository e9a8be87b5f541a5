package present

import (
	"lockstep/engine/trace"
	"lockstep/sizing/calibrate"
	"lockstep/views"
	"lockstep/views/locale"
)

// Calibration is how it stands with what this machine was found to be like.
type Calibration struct {
	Found  *calibrate.Calibration // nil where it is not calibrated
	Under  *calibrate.Progress    // nil where no calibration is under way
	Failed error                  // why the latest one failed; nil if it did not
}

// calibrationLinks are the messages about links.
var calibrationLinks = map[trace.Link]string{trace.Shm: "run.calibration.shm", trace.TCP: "run.calibration.tcp"}

// calibrated says what the machine was found to be like.
func (f Frame) calibrated(c *Calibration) views.Calibrated {
	if c == nil {
		return views.Calibrated{}
	}
	l := f.Locale
	v := views.Calibrated{URL: f.homeURL() + "runs/calibrate", Button: l.T("run.calibration.again")}
	say := func(message string, values locale.Values) { v.Lines = append(v.Lines, l.T(message, values)) }
	if c.Found == nil {
		v.Button = l.T("run.calibration.go")
		if c.Under == nil {
			say("run.calibration.none", nil)
		}
	} else {
		said := map[trace.Link]bool{}
		for _, found := range c.Found.Found {
			message, known := calibrationLinks[found.Link]
			if !known || said[found.Link] {
				continue
			}
			said[found.Link] = true
			say(message, locale.Values{
				"Ranks": found.Ranks, "Latency": c.Found.Least(found.Link, found.Ranks).String(), "Bandwidth": c.Found.Best(found.Link, found.Ranks).String(),
			})
		}
		if c.Found.Restless() {
			say("run.calibration.restless", nil)
		}
		v.Text = l.T("run.calibration.made", locale.Values{"When": when(c.Found.Made), "Count": len(c.Found.Measured)})
	}
	switch {
	case c.Under != nil && c.Under.Of > 0:
		say("run.calibration.under", locale.Values{"Done": c.Under.Done})
		v.URL = ""
	case c.Under != nil:
		say("run.calibration.begun", nil)
		v.URL = ""
	case c.Failed != nil:
		say("run.calibration.failed", locale.Values{"Reason": c.Failed.Error()})
	}
	return v
}

// CalibrationURL is where the form for a run stands, as it was filled in.
func (q RunRequest) CalibrationURL(f Frame) string {
	return f.homeURL() + "runs/new?" + q.query().Encode() + "#calibration"
}

// galleryCalibrations are the states of a machine.
func galleryCalibrations(f Frame) []views.Calibrated {
	found := calibrate.Calibration{
		Made: galleryMoment(),
		Measured: []calibrate.Measured{
			{Link: trace.Shm, Collective: "all-reduce", Ranks: 2, Size: 8, Time: 0.2e-6},
			{Link: trace.Shm, Collective: "all-reduce", Ranks: 2, Size: 1 << 20, Time: 51e-6},
			{Link: trace.TCP, Collective: "all-reduce", Ranks: 2, Size: 8, Time: 5.2e-6},
			{Link: trace.TCP, Collective: "all-reduce", Ranks: 2, Size: 1 << 20, Time: 170e-6},
		},
		Found: []calibrate.Found{{Link: trace.Shm, Ranks: 2}, {Link: trace.TCP, Ranks: 2}},
	}
	return []views.Calibrated{
		f.calibrated(&Calibration{}),
		f.calibrated(&Calibration{Under: &calibrate.Progress{Done: 7, Of: 40}}),
		f.calibrated(&Calibration{Found: &found}),
		f.calibrated(&Calibration{Found: &found, Failed: calibrate.ErrNothing}),
	}
}
