package present

import (
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/catalog"
	"lockstep/sizing/site"
)

// readSite reads where the step runs. A field that does not fit the others is
// left out meanwhile and said to be wrong.
func (f *SizeForm) readSite(known *catalog.Catalog) {
	f.readSystem(known)
	f.Ask.Nodes = int(f.readNumber("nodes", 1, sizing.MaxWorkers, "size.wrong.whole"))
	f.Ask.PerNode = f.readCount("per_node", sizing.MaxWorkers)
	f.readFabric(known)
	f.Ask.NICs = f.readCount("nics", site.MaxNICs)
	f.readRate()
	f.readAlpha()
	f.Ask.Rails = f.readCount("rails", site.MaxNICs)
	f.readOversubscription()
	f.readInSwitch()
	for range sizeNames { // each round leaves a field out
		var err error
		if f.Site, err = site.Describe(known, f.Ask); err == nil {
			break
		}
		f.leaveOut(err)
	}
	perNode := int(f.Site.PerNode.Value)
	if most := max(1, sizing.MaxWorkers/perNode); f.Ask.Nodes > most {
		f.notes["nodes"] = sizeNote{"size.note.workers", f.given["nodes"], strconv.Itoa(most)}
		f.Ask.Nodes, f.given["nodes"] = most, strconv.Itoa(most)
		f.Site, _ = site.Describe(known, f.Ask) // as before, but for the number
	}
	f.Step.Nodes, f.Step.PerNode, f.Step.Fabric = f.Site.Nodes, perNode, f.Site.Port
}

// leaveOut takes the field that does not fit out of what is asked.
func (f *SizeForm) leaveOut(err error) {
	var refused *schedule.RequestError
	if !errors.As(err, &refused) {
		f.Ask.System = ""
		return
	}
	wrong := func(name, message string) {
		f.wrong[name] = sizeWrong{message: message, given: f.given[name]}
	}
	switch refused.Field {
	case "rails":
		wrong("rails", "size.wrong.rails")
		f.Ask.Rails = 0
	case "in_switch":
		wrong("in_switch", "size.wrong.in-switch")
		f.Ask.InSwitch = site.AsBuilt
	case "nics":
		f.Ask.NICs = 0
	case "rate":
		f.Ask.NICRate = 0
	case "per_node":
		f.Ask.PerNode = 0
	case "fabric":
		f.Ask.Fabric = ""
		if f.Ask.System == "" {
			f.Ask.Fabric = articleFabric
		}
	default:
		f.Ask.System, f.Ask.Fabric = "", articleFabric
	}
}

func (f *SizeForm) readSystem(known *catalog.Catalog) {
	given := f.given["system"]
	if given == "" {
		return
	}
	s, err := known.System(given)
	if err != nil {
		f.notes["system"] = sizeNote{"size.note.unknown", clipped(given), fewOf(sizeSystemIDs(known), given)}
		f.given["system"] = ""
		return
	}
	f.Ask.System, f.given["system"] = s.ID, s.ID
}

// readFabric takes the system's own network where none is chosen, and the
// article's where there is no system either.
func (f *SizeForm) readFabric(known *catalog.Catalog) {
	f.Ask.Fabric = f.given["fabric"]
	if _, found := site.FindLink(known, f.Ask.Fabric); !found {
		if f.Ask.Fabric != "" {
			f.notes["fabric"] = sizeNote{"size.note.unknown", clipped(f.given["fabric"]), fewOf(sizeLinkKeys(known), f.given["fabric"])}
		}
		f.Ask.Fabric, f.given["fabric"] = "", ""
	}
	if f.Ask.Fabric == "" && f.Ask.System == "" {
		f.Ask.Fabric = articleFabric
	}
}

// readCount reads a whole number from 1 on; 0 for none, which is fine.
func (f *SizeForm) readCount(name string, most int64) int {
	if f.given[name] == "" {
		return 0
	}
	return int(f.readNumber(name, 1, most, "size.wrong.whole"))
}

// readRate reads what one NIC carries: Gb/s, unless a unit says otherwise.
func (f *SizeForm) readRate() {
	given := f.given["rate"]
	if given == "" {
		return
	}
	text := strings.ReplaceAll(strings.TrimSpace(given), ",", "")
	if strings.Trim(text, "0123456789.") == "" {
		text += "Gb/s"
	}
	rate, err := unit.ParseRate(text)
	gbits := float64(rate) * 8 / 1e9
	if two := new(unit.AmbiguousError); errors.As(err, &two) {
		f.wrong["rate"] = sizeWrong{message: "size.wrong.rate.which", given: text, readings: [2]string{two.First.Text, two.Second.Text}}
		return
	}
	if err != nil || !(gbits > 0) || gbits > 1e5 {
		f.wrong["rate"] = sizeWrong{message: "size.wrong.rate", given: given}
		return
	}
	f.Ask.NICRate = gbits
}

// readAlpha reads the latency of a message: microseconds, unless a unit says
// otherwise.
func (f *SizeForm) readAlpha() {
	given := f.given["alpha"]
	if given == "" {
		return
	}
	units := map[string]string{"": "1e-6"}
	for name, size := range timeUnits {
		if name != "" {
			units[name] = size
		}
	}
	v, ok := readQuantity(given, units)
	if ok {
		v.Mul(v, big.NewRat(int64(time.Second), 1))
	}
	if !ok || v.Sign() < 0 || v.Cmp(big.NewRat(int64(time.Second), 1)) > 0 {
		f.wrong["alpha"] = sizeWrong{message: "size.wrong.alpha", given: given}
		return
	}
	latency := time.Duration(wholeOf(v))
	f.Ask.Latency = &latency
}

// readOversubscription reads n of n:1.
func (f *SizeForm) readOversubscription() {
	given := f.given["oversubscription"]
	if given == "" {
		return
	}
	text := strings.TrimSpace(strings.ReplaceAll(given, "：", ":"))
	number, rest, ratio := strings.Cut(text, ":")
	v, ok := readQuantity(number, map[string]string{"": "1"})
	if !ok || ratio && strings.TrimSpace(rest) != "1" {
		f.wrong["oversubscription"] = sizeWrong{message: "size.wrong.oversubscription", given: given}
		return
	}
	asked, _ := v.Float64()
	used := min(max(asked, 1), site.MaxOversubscription)
	if used != asked {
		text := strconv.FormatFloat(used, 'f', -1, 64)
		f.notes["oversubscription"] = sizeNote{"size.note.nearest", given, text}
		f.given["oversubscription"] = text
	}
	f.Ask.Oversubscription = used
}

func (f *SizeForm) readInSwitch() {
	switch given := site.Reduction(f.given["in_switch"]); given {
	case site.AsBuilt, site.On, site.Off:
		f.Ask.InSwitch = given
	default:
		f.notes["in_switch"] = sizeNote{"size.note.unknown", clipped(f.given["in_switch"]), listOf([]site.Reduction{site.On, site.Off})}
		f.given["in_switch"] = ""
	}
}

// readCollective reads what is asked beside the step. Without a size it is that
// of the gradients, so that the first answer is the step's own.
func (f *SizeForm) readCollective() {
	f.Collective = schedule.Collective(f.given["collective"])
	if !slices.Contains(schedule.Collectives(), f.Collective) {
		f.notes["collective"] = sizeNote{"size.note.unknown", clipped(f.given["collective"]), listOf(schedule.Collectives())}
		f.given["collective"], f.Collective = sizeDefaults("collective"), schedule.AllReduce
	}
	f.Size = f.Step.Gradients()
	given := f.given["size"]
	if given == "" {
		return
	}
	size, err := unit.ParseBytes(given)
	two := new(unit.AmbiguousError)
	switch {
	case errors.As(err, &two):
		f.wrong["size"] = sizeWrong{message: "size.wrong.size.which", given: strings.TrimSpace(given), readings: [2]string{two.First.Text, two.Second.Text}}
	case err != nil || size < 0:
		f.wrong["size"] = sizeWrong{message: "size.wrong.size", given: given}
	case size > maxSizeBuffer:
		f.Size = maxSizeBuffer
		f.notes["size"] = sizeNote{"size.note.nearest", given, f.Size.String()}
		f.given["size"] = f.Size.String()
	default:
		f.Size = size
	}
}

// maxSizeBuffer is more than any accelerator holds.
const maxSizeBuffer = 100 * unit.TB

// Study prices what the form asks beside the step.
func (f SizeForm) Study(d site.Desk) (*site.Study, error) {
	load := site.Load{Gradients: f.Step.Gradients(), Compute: f.Step.Compute / unit.Seconds(f.Step.Workers())}
	return d.Study(f.Ask, f.Collective, f.Size, load)
}
