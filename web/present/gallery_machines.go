package present

import (
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing"
	"lockstep/sizing/calibrate"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/views"
)

// galleryMachines fills in what the page of machines is made of: one of which
// logs are kept, this one, and a probed link.
func galleryMachines(f Frame, g *views.Gallery, desk site.Desk, tables []measured.KeptTable) error {
	moment := galleryMoment()
	desk.Machines = []measured.Kept{{Version: 1, Name: "lab", Made: moment, By: "ada", Tables: tables}}
	here := []sizing.Here{
		{Link: trace.Shm, Collective: string(schedule.AllReduce), Algorithm: "ring", Ranks: 4, Size: 1 << 20, Measured: 310e-6, Before: 1870e-6, After: 330e-6},
		{Link: trace.TCP, Collective: string(schedule.AllReduce), Algorithm: "ring", Ranks: 4, Size: 1 << 20, Measured: 980e-6, Before: 1870e-6, After: 1010e-6},
	}
	links := sizing.CompareProbes([]inventory.Link{{From: "node-a", To: "node-b", Latency: 21e-6, Rate: 11.6e9, Time: moment.Add(-time.Hour)}})
	gallerySweep(f, g)
	var err error
	g.Kept, err = MachinesPage(f, Machines{
		Desk: desk, Found: &calibrate.Calibration{Made: moment, Measured: make([]calibrate.Measured, len(here))}, Here: here, Links: links,
	})
	return err
}
