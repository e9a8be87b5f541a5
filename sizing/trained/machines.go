package trained

import (
	"regexp"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/sizing/train"
)

// generation is a line of accelerators whose kernels reach the same share of
// their peaks.
type generation string

const (
	volta     generation = "V"
	ampere    generation = "A"
	hopper    generation = "H"
	blackwell generation = "B"
	tpu4      generation = "T4"
	tpu5e     generation = "T5e"
	tpu5p     generation = "T5p"
	other     generation = "X" // nothing of it was measured
)

// chip is an accelerator as tables name it.
type chip struct {
	pattern    *regexp.Regexp
	key        string
	entry      string // of the catalogue
	generation generation
	domain     float64
	nic        float64 // GB/s of network that goes with one
	inside     float64 // GB/s of the scale-up link where the catalogue has none
}

// chips is searched from the top. Network rates are those of the makers'
// reference systems; a row's notes overrule them.
var chips = []chip{
	{regexp.MustCompile(`gb300`), "gb300", "gb300", blackwell, 64, 100, 0},
	{regexp.MustCompile(`gb200`), "gb200", "gb200", blackwell, 64, 50, 0},
	{regexp.MustCompile(`b300`), "b300", "b300-sxm", blackwell, 8, 100, 0},
	{regexp.MustCompile(`b[12]00`), "b200", "b200-sxm", blackwell, 8, 50, 0},
	{regexp.MustCompile(`gh200`), "gh200", "gh200-96gb", hopper, 1, 50, 0},
	{regexp.MustCompile(`h800`), "h800", "h800-sxm5", hopper, 8, 50, 0},
	{regexp.MustCompile(`h200`), "h200", "h200-sxm", hopper, 8, 50, 0},
	{regexp.MustCompile(`h20\b`), "h20", "h20-96gb", hopper, 8, 50, 0},
	{regexp.MustCompile(`h100.*(pcie|nvl)`), "h100-pcie", "h100-pcie", hopper, 8, 25, 0},
	{regexp.MustCompile(`h100|hopper`), "h100", "h100-sxm5", hopper, 8, 50, 0},
	{regexp.MustCompile(`a800`), "a800", "a800-sxm4-80gb", ampere, 8, 25, 0},
	{regexp.MustCompile(`a100.*40`), "a100_40", "a100-sxm4-40gb", ampere, 8, 25, 0},
	{regexp.MustCompile(`a100|ampere`), "a100", "a100-sxm4-80gb", ampere, 8, 25, 0},
	{regexp.MustCompile(`v100.*dgx.?2`), "v100", "v100-sxm2-32gb", volta, 16, 12.5, 0},
	{regexp.MustCompile(`v100`), "v100", "v100-sxm2-32gb", volta, 8, 6.25, 0},
	{regexp.MustCompile(`tpu.?v?5p`), "tpu v5p", "tpu-v5p", tpu5p, 4096, 12.5, 150},
	{regexp.MustCompile(`tpu.?v?5e|v5 ?lite`), "tpu v5e", "tpu-v5e", tpu5e, 256, 6.25, 50},
	{regexp.MustCompile(`tpu.?v?4`), "tpu v4", "tpu-v4", tpu4, 4096, 6.25, 75},
	{regexp.MustCompile(`tpu.?v?7|ironwood`), "tpu v7", "tpu7x", tpu5p, 4096, 12.5, 300},
	{regexp.MustCompile(`mi35[05]`), "mi355x", "mi355x", other, 8, 50, 0},
	{regexp.MustCompile(`mi325`), "mi325x", "mi325x", other, 8, 50, 0},
	{regexp.MustCompile(`mi300`), "mi300x", "mi300x", other, 8, 50, 0},
	{regexp.MustCompile(`mi250`), "mi250x", "mi250x", other, 8, 12.5, 0},
	{regexp.MustCompile(`gaudi.?3`), "gaudi3", "gaudi3", other, 8, 75, 0},
	{regexp.MustCompile(`gaudi`), "gaudi2", "gaudi2", other, 8, 37.5, 0},
	{regexp.MustCompile(`910.?c`), "ascend-910c", "ascend-910c", other, 384, 50, 0},
	{regexp.MustCompile(`910`), "ascend-910b", "ascend-910b-313t", other, 8, 25, 0},
	{regexp.MustCompile(`trainium.?2|trn2`), "trainium2", "trainium2", other, 16, 25, 0},
	{regexp.MustCompile(`l40s`), "l40s", "l40s", other, 1, 6.25, 32},
	{regexp.MustCompile(`4090`), "rtx-4090", "rtx-4090", other, 1, 3.125, 16},
}

// chipOf finds the accelerator of a text.
func chipOf(text string) (chip, bool) {
	text = strings.ToLower(text)
	for _, c := range chips {
		if c.pattern.MatchString(text) {
			return c, true
		}
	}
	return chip{}, false
}

var (
	gbitsEach    = regexp.MustCompile(`(\d+)\s*gb(?:ps|/s|it/s)\s*(?:\w+\s+)?(?:per|/)\s*(?:gpu|accelerator|chip)`)
	gbitsPerNode = regexp.MustCompile(`(\d+)\s*gb(?:ps|/s|it/s)\s*(?:per node|node-node|/node)`)
)

const giga, tera = 1e9, 1e12

// formatOf reads a precision. What a table gives in brackets is another run.
func formatOf(text string) train.Format {
	text = strings.ToLower(text)
	if i := strings.IndexByte(text, '('); i > 0 {
		text = text[:i]
	}
	switch {
	case strings.Contains(text, "fp4") || strings.Contains(text, "mxf4"):
		return train.Four
	case strings.Contains(text, "mx"):
		return train.MXEight
	case strings.Contains(text, "row"):
		return train.EightRows
	case strings.Contains(text, "fp8") || strings.Contains(text, "float8") || strings.Contains(text, "e4m3"):
		return train.Eight
	}
	return train.Sixteen
}

// peaks are operations a second, dense.
func peaks(a catalog.Accelerator, f train.Format) (products, sixteen float64) {
	sixteen = max(a.BF16, a.FP16) * tera
	products = sixteen
	switch {
	case f == train.Four && a.FP4 > 0:
		products = a.FP4 * tera
	case f != train.Sixteen && a.FP8 > 0:
		products = a.FP8 * tera
	}
	return products, sixteen
}

// machineOf describes the accelerator of a row and what joins it to others.
func machineOf(c *catalog.Catalog, r Row, which chip, f train.Format) (train.Machine, catalog.Accelerator, error) {
	a, err := c.Accelerator(which.entry)
	if err != nil {
		return train.Machine{}, a, err
	}
	m := train.Machine{Memory: a.MemoryBandwidth * giga, Domain: which.domain, Inside: a.ScaleUpRate * giga, NIC: which.nic * giga}
	if m.Inside == 0 {
		m.Inside = which.inside * giga
	}
	m.Peak, m.Peak16 = peaks(a, f)
	if f == train.Four && which.key == "b300" {
		m.Peak = 13.5e15 // what its tables count; its board's figure is lower
	}
	notes := strings.ToLower(r.Notes)
	if which.key == "h100" && strings.Contains(notes, "hbm2e") {
		m.Memory = 2.4e12 // six stacks of it
	}
	for _, said := range []struct {
		pattern *regexp.Regexp
		share   float64 // accelerators that it is for
	}{{gbitsPerNode, 8}, {gbitsEach, 1}} {
		if g := said.pattern.FindStringSubmatch(notes); g != nil {
			if v, _ := strconv.ParseFloat(g[1], 64); v > 0 {
				m.NIC = v / 8 / said.share * giga
			}
		}
	}
	return m, a, nil
}
