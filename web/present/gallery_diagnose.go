package present

import (
	"net/url"

	"lockstep/sizing/diagnose"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/views"
)

// galleryDiagnose fills in what the page of diagnoses is made of: every sample,
// a file that cannot be read, and statements that cannot be used.
func galleryDiagnose(f Frame, g *views.Gallery, desk site.Desk) error {
	samples, err := diagnose.Samples()
	if err != nil {
		return err
	}
	var files []LogText
	for _, s := range samples {
		files = append(files, LogText{s.File, s.Text})
	}
	ask := ReadDiagnose(url.Values{"log": {"mpirun -np 16 ./all_reduce_perf"}, "nodes": {"many"}, "network": {"pigeons"}}, files)
	doctor := diagnose.New(desk.Library, desk.Known)
	if err := ask.Examine(doctor); err != nil {
		return err
	}
	ask.Keeps, ask.Machine = true, "lab"
	tables, err := ask.Tables(doctor)
	if err != nil {
		return err
	}
	if ask.Compared, err = desk.Library.Compare(measured.Kept{Name: "lab", Tables: tables[:1]}); err != nil {
		return err
	}
	if g.Diagnose, err = Diagnose(f, ask); err != nil {
		return err
	}
	return galleryMachines(f, g, desk, tables[:1])
}
