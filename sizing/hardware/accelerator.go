package hardware

import (
	"regexp"
	"strings"
)

// Scale is how accelerators of one scale-up domain reach each other.
type Scale string

// The kinds of scale-up link.
const (
	NVSwitch3  Scale = "nvswitch-3" // A100: NVLink 3 through switches
	NVSwitch4  Scale = "nvswitch-4" // H100, H200: NVLink 4
	NVSwitch5  Scale = "nvswitch-5" // B200, B300: NVLink 5
	NVL72      Scale = "nvl72"      // racks of 72 on NVLink 5
	NVLinkMesh Scale = "nvlink"     // NVLink from one to another, without switches
	XGMI       Scale = "mesh"       // one link to every other: Infinity Fabric, HCCS, Gaudi
	PCIe       Scale = "pcie"       // through PCIe, one directly to another
	HostStaged Scale = "host"       // through the host's memory, for want of peer access
	Alone      Scale = "none"       // one accelerator a domain
)

// Switched reports whether every accelerator of a domain reaches every other at
// its whole rate.
func (s Scale) Switched() bool {
	return s == NVSwitch3 || s == NVSwitch4 || s == NVSwitch5 || s == NVL72
}

// accelerator is what is known of a family.
type accelerator struct {
	pattern *regexp.Regexp
	family  string
	scale   Scale
	rate    float64 // GB/s of one accelerator into its domain, one direction
	domain  int     // accelerators of a usual domain
	nic     float64 // Gb/s of network that usually goes with one accelerator
}

func known(pattern, family string, scale Scale, rate float64, domain int, nic float64) accelerator {
	return accelerator{regexp.MustCompile(pattern), family, scale, rate, domain, nic}
}

// accelerators is searched from the top: what is special stands before what is
// general. Rates are those of the makers' data sheets; a PCIe card has its
// bus's. Texts are lower-cased and words are divided by single blanks (plain).
var accelerators = []accelerator{
	known(`\bgb ?300|\bb300 nvl`, "GB300", NVL72, 900, 72, 800),
	known(`\bgb ?200|\bb200 nvl|\bp6e|\ba4x`, "GB200", NVL72, 900, 72, 400),
	known(`\bgb ?10\b|\bdgx ?spark|\bspark\b`, "GB10", Alone, 0, 1, 200),
	known(`\bb ?300\b|\bp6 b300`, "B300", NVSwitch5, 900, 8, 800),
	known(`\bb ?[12]00\b|\bp6 b200|\ba4 highgpu|\ba4\b.*\b8g`, "B200", NVSwitch5, 900, 8, 400),
	known(`\bgh ?200\b`, "GH200", NVSwitch4, 450, 1, 400),
	known(`\bh800\b`, "H800", NVSwitch4, 200, 8, 400),
	known(`\bh20\b`, "H20", NVSwitch4, 450, 8, 400),
	known(`\bh200\b.*\bnvl\b`, "H200", NVLinkMesh, 450, 4, 400),
	known(`\bh200\b|\bp5en?\b.*\b(?:48xl|48xlarge)\b.*h200|\bp5en?\b|\bp5e\b|\ba3 ultra`, "H200", NVSwitch4, 450, 8, 400),
	known(`\bh100\b.*\b(?:pcie|pci e|nvl|cnx)\b|\bh100l\b`, "H100 PCIe", PCIe, 63, 8, 400),
	known(`\bh100\b|\bp5\b|\ba3 (?:high|mega|edge)|\bhopper\b`, "H100", NVSwitch4, 450, 8, 400),
	known(`\ba800\b.*\b(?:pcie|pci e)\b`, "A800 PCIe", PCIe, 31, 8, 200),
	known(`\ba800\b`, "A800", NVSwitch3, 200, 8, 200),
	known(`\ba100x?\b.*\b(?:pcie|pci e)\b`, "A100 PCIe", PCIe, 31, 8, 200),
	known(`\ba100\b|\bp4de?\b|\ba2 (?:high|mega|ultra)|\bnd96am?sr\b`, "A100", NVSwitch3, 300, 8, 200),
	known(`\bv100s?\b.*\b(?:pcie|pci e)\b|\bv100s\b`, "V100 PCIe", PCIe, 16, 8, 12.5),
	known(`\bv100\b|\bp3dn\b|\bdgx ?1\b|\bdgx ?2\b|\bvolta\b`, "V100", NVLinkMesh, 150, 8, 12.5),
	known(`\bp100\b`, "P100", NVLinkMesh, 80, 8, 12.5),
	known(`\bmi ?35[05]x?\b`, "MI350X", XGMI, 535.5, 8, 400),
	known(`\bmi ?3[02]\d[xa]?\b`, "MI300X", XGMI, 448, 8, 400),
	known(`\bmi ?2\d0x?\b`, "MI250X", XGMI, 150, 8, 100),
	known(`\bmi ?100\b`, "MI100", XGMI, 69, 4, 100),
	known(`\brtx ?5090|\b5090|\brtx ?50[678]0`, "RTX 5090", PCIe, 63, 8, 12.5),
	known(`\bpro ?6000|\bpro ?5000`, "RTX PRO 6000", PCIe, 63, 8, 50),
	known(`\bl40s?\b|\bl20\b|\bl4\b|\ba40\b|\ba10g?\b|\ba16\b|\ba30\b|\ba[456]000\b|\b6000 ada\b`, "L40S", PCIe, 31, 8, 25),
	known(`\b[34]0[6789]0\b|\brtx ?40|\brtx ?30`, "RTX 4090", HostStaged, 31, 8, 12.5),
	known(`\b20[678]0\b|\bt4\b|\btitan\b|\bp40?\b`, "RTX 2080", HostStaged, 16, 8, 12.5),
	known(`\b910 ?c|\b910 ?93\d\d|\ba3 superpod|\bcloudmatrix`, "Ascend", XGMI, 392, 8, 200),
	known(`\bascend|\b910\b|\b910 ?[ab]\d?c?\d?\b|\bnpu\b|昇腾|\batlas\b`, "Ascend", XGMI, 196, 8, 200),
	known(`\bgaudi ?3|\bhl ?3\d\d`, "Gaudi", XGMI, 525, 8, 200),
	known(`\bgaudi|\bhl ?2\d\d`, "Gaudi", XGMI, 262.5, 8, 100),
	known(`\btrainium ?2|\btrn2\b`, "Trainium", XGMI, 640, 16, 200),
	known(`\btrainium|\btrn1n?\b|\binf2\b|\binferentia`, "Trainium", XGMI, 384, 16, 100),
	known(`\btpu ?(?:v\d\w*)?\b|\bironwood\b`, "TPU", XGMI, 100, 4, 100),
}

// unknown is an accelerator that a text does not name.
var unknown = accelerator{family: "unknown", scale: NVSwitch3, rate: 300, domain: 8, nic: 200}

// byLink is what a link within the domain says about accelerators that are not
// named: the first whose words fit.
var byLink = []struct {
	pattern *regexp.Regexp
	as      accelerator
}{
	{regexp.MustCompile(`nvl ?72|mnnvl`), accelerator{scale: NVL72, rate: 900, domain: 72, nic: 400}},
	{regexp.MustCompile(`nvlink ?5|nvlink v5|gen ?5.*nvswitch`), accelerator{scale: NVSwitch5, rate: 900, domain: 8, nic: 400}},
	{regexp.MustCompile(`nvlink ?4|nvlink v4|gen ?4.*nvswitch`), accelerator{scale: NVSwitch4, rate: 450, domain: 8, nic: 400}},
	{regexp.MustCompile(`nvlink ?3|nvlink v3|nvswitch|nvlink$`), accelerator{scale: NVSwitch3, rate: 300, domain: 8, nic: 200}},
	{regexp.MustCompile(`nvlink ?2|nvlink v2`), accelerator{scale: NVLinkMesh, rate: 150, domain: 8, nic: 12.5}},
	{regexp.MustCompile(`xgmi|infinity ?fabric|\bif\b`), accelerator{scale: XGMI, rate: 448, domain: 8, nic: 400}},
	{regexp.MustCompile(`hccs|\bub\b|unifiedbus`), accelerator{scale: XGMI, rate: 196, domain: 8, nic: 200}},
	{regexp.MustCompile(`\bshm\b|no p2p|host`), accelerator{scale: HostStaged, rate: 31, domain: 8, nic: 12.5}},
	{regexp.MustCompile(`pci`), accelerator{scale: PCIe, rate: 31, domain: 8, nic: 50}},
}

// plain lower-cases a text, takes full-width letters for what they stand for,
// and makes one blank of everything that is neither letter nor digit nor point.
func plain(text string) string {
	var out strings.Builder
	blank := true
	for _, r := range strings.ToLower(text) {
		if r == '×' || r == '*' {
			r = 'x'
		}
		if r >= '！' && r <= '～' {
			r = r - '！' + '!'
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
		}
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r > 0x2e7f {
			out.WriteRune(r)
			blank = false
		} else if !blank {
			out.WriteByte(' ')
			blank = true
		}
	}
	return strings.TrimSpace(out.String())
}

// lookUp finds what a text names.
func lookUp(gpu string) (accelerator, bool) {
	for _, a := range accelerators {
		if a.pattern.MatchString(gpu) {
			return a, true
		}
	}
	return unknown, false
}
