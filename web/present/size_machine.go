package present

import (
	"slices"

	"lockstep/engine/schedule"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// readMachine takes the machine that is chosen, if its logs are among those
// that are kept and there is a system for them to bear on.
func (f *SizeForm) readMachine(kept []measured.Kept) {
	name := f.given["machine"]
	f.kept, f.Ask.Machine = kept, ""
	switch {
	case name == "":
	case !slices.ContainsFunc(kept, func(k measured.Kept) bool { return k.Name == name }):
		f.notes["machine"] = sizeNote{"size.note.machine.none", clipped(name), ""}
		if len(kept) > 0 {
			f.notes["machine"] = sizeNote{"size.note.machine.other", clipped(name), fewOf(keptNames(kept), name)}
		}
		f.given["machine"] = ""
	case f.Ask.System == "":
		f.notes["machine"] = sizeNote{"size.note.machine.system", name, ""}
	default:
		f.Ask.Machine = name
	}
}

// machines are the machines to choose from, none first. ok is false where there
// is nothing to choose and nothing to say.
func (f SizeForm) machines(l locale.Locale) (options []views.SizeOption, ok bool) {
	_, noted := f.notes["machine"]
	options = []views.SizeOption{{Value: "", Name: l.T("size.machine.none"), Chosen: f.given["machine"] == ""}}
	for _, k := range f.kept {
		options = append(options, views.SizeOption{
			Value: k.Name, Chosen: k.Name == f.given["machine"],
			Name: l.T("size.machine.option", locale.Values{"Name": k.Name, "What": machineSystems(l, k)}),
		})
	}
	return options, len(f.kept) > 0 || noted
}

// machineSystems says on what a machine's logs were recorded.
func machineSystems(l locale.Locale, k measured.Kept) string {
	var all []string
	for _, t := range k.Tables {
		if text := l.T("size.machine.system", locale.Values{"Ranks": t.Ranks, "GPU": t.GPU}); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return joined(l, all)
}

// groundMessages say how the logs of a machine bear on a time.
var groundMessages = map[string]string{
	string(measured.Seen): "size.logs.measured", string(measured.Beyond): "size.logs.beyond", string(measured.OtherSystem): "size.logs.system",
	string(measured.OtherReach): "size.logs.reach", string(measured.OtherNetwork): "size.logs.network", string(measured.Narrowed): "size.logs.narrowed",
}

// sizeLogWarning says what a machine's logs have to do with an answer; empty
// for a warning about something else.
func sizeLogWarning(l locale.Locale, code string, values map[string]string) string {
	if code != "own-log" && code != "own-log-unused" {
		return ""
	}
	v := sizeValuesOf(values)
	v["Collective"] = collectiveName(l, schedule.Collective(values["collective"]))
	return l.T(groundMessages[values["why"]], v)
}

// sizeLogsDoubt says that logs were asked for and bear on nothing.
func sizeLogsDoubt(l locale.Locale, s *site.Study) []string {
	if s == nil || s.Logs == nil || s.Rests() {
		return nil
	}
	return []string{l.T(groundMessages[string(s.Logs.Step.Ground)], locale.Values{"Machine": s.Logs.Machine})}
}

// sizeLogsChanges says what the table of changes starts from where the times
// above rest on logs; empty elsewhere.
func sizeLogsChanges(l locale.Locale, s *site.Study) string {
	if !s.Rests() {
		return ""
	}
	price, _ := s.Public()
	return l.T("size.changes.logs", locale.Values{"Machine": s.Logs.Machine, "What": sizeWhat(l, s), "Time": sizeTime(s.Price.Time), "Without": sizeTime(price.Time)})
}

// sizeLibrary names the time of the step's all-reduce, with the machine on whose
// logs it rests.
func sizeLibrary(l locale.Locale, s *site.Study) string {
	if s.Logs != nil && s.Logs.Step.Ground.Rests() {
		return l.T("size.figure.machine", locale.Values{"Machine": s.Logs.Machine})
	}
	return l.T("size.figure.library")
}
