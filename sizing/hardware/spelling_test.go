package hardware

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestRatesAsTablesWriteThem: what a node of eight has of network, in Gb/s, by
// the words of a link alone, and whether that had to be guessed.
func TestRatesAsTablesWriteThem(t *testing.T) {
	for _, c := range []struct {
		inter string
		node  float64
		sure  bool
	}{
		{"2x 400Gb NDR per GPU", 6400, true}, {"400G per GPU", 3200, true}, {"400 Gb/s/GPU RoCE", 3200, true}, {"1x NDR per GPU", 3200, true}, {"one 200Gb HDR NIC per accelerator", 1600, true},
		{"50 GB/s per GPU InfiniBand", 3200, true}, {"200G/NPU RoCE", 1600, true}, {"每卡 400G RoCE", 3200, true}, {"单卡200G IB", 1600, true}, {"dual 200G per GPU", 3200, true},
		{"8x400G", 3200, true}, {"8×400G RoCEv2", 3200, true}, {"8 * 400 Gbps IB", 3200, true}, {"8 x 400 Gbit/s", 3200, true}, {"IB NDR 8x400Gb/s", 3200, true}, {"8x NDR", 3200, true},
		{"8x NDR400 InfiniBand", 3200, true}, {"8 x NDR200", 1600, true}, {"4x HDR", 800, true}, {"4x HDR100", 400, true}, {"2x EDR InfiniBand", 200, true}, {"dual-rail EDR", 200, true},
		{"dual HDR", 400, true}, {"quad-rail HDR", 800, true}, {"4 NICs of 200G", 800, true}, {"8 HCAs 200Gb/s", 1600, true}, {"400G x8", 3200, true}, {"400Gb/s x 8 RoCE", 3200, true},
		{"NDR x8", 3200, true}, {"8x ConnectX-7 400G", 3200, true}, {"8x Mellanox CX-6 HDR", 1600, true}, {"4x CX7 NDR", 1600, true}, {"RoCE 8x200", 1600, true}, {"双口 200G RoCE", 400, true}, {"8张400G网卡", 3200, true},
		{"3.2 Tb/s per node", 3200, true}, {"3200 Gbps per node EFA", 3200, true}, {"3.2Tbps", 3200, true}, {"800 Gb/s total", 800, true}, {"aggregate 1.6T RoCE", 1600, true}, {"8x400G (3.2T total)", 3200, true},
		{"400G (3.2T total)", 3200, true}, {"400 Gb/s per port, 8 ports per node", 3200, true}, {"单机 3.2T RoCE", 3200, true}, {"400 GB/s per node", 3200, true}, {"EFA 3200 Gbps", 3200, true}, {"EFA 4x100G", 400, true},
		{"4x100GbE EFA", 400, true}, {"32x100G EFA v2", 3200, true}, {"16 x 200Gb EFAv3", 3200, true}, {"2x100GbE", 200, true}, {"2 x 25G Ethernet", 50, true}, {"dual-port 100G CX6", 200, true},
		{"100GbE TCP", 100, false}, {"10GbE", 10, false}, {"1 GbE", 1, false}, {"25G Ethernet", 25, false}, {"Gigabit... 1Gb/s TCP", 1, false},
		{"NDR", 3200, false}, {"IB NDR200", 1600, false}, {"HDR 200Gb/s", 1600, false}, {"HDR100", 800, false}, {"EDR 100", 800, false}, {"InfiniBand EDR 100 Gb/s", 800, false}, {"FDR 56", 448, false},
		{"Omni-Path 100", 800, false}, {"OPA100", 800, false}, {"XDR", 3200, false}, {"Slingshot 11", 1600, false}, {"Slingshot-10", 800, false}, {"RoCE 400", 3200, false}, {"EFA 400 Gbps", 400, false},
		{"RoCE v2", 3200, false}, {"", 3200, false}, {"n/a", 3200, false}, {"-", 3200, false},
	} {
		s := Read(Words{GPU: "H100", InterLink: c.inter, Ranks: 16, Nodes: 2, PerNode: 8})
		if node := s.NIC * 64; math.Abs(node-c.node) > 1e-6 || s.Guessed("nic-rate") == c.sure {
			t.Errorf("%q: %g Gb/s a node, guesses %+v; want %g, sure %v", c.inter, node, s.Guesses, c.node, c.sure)
		}
	}
	for text, want := range map[string]float64{"3200": 3200, "3,200": 3200, "3200 Gb/s": 3200, "8x400": 3200, "8x400G": 3200, "3.2T": 3200, "400 GB/s": 3200, "400/GPU": 3200, "400G per GPU": 3200, "1e3": 1000} {
		if got, ok := NodeRate(text, 8); !ok || got != want {
			t.Errorf("%q is %g Gb/s a node, %v; want %g", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "fast", "0", "-3", "inf", "NaN"} {
		if got, ok := NodeRate(text, 8); ok {
			t.Errorf("%q is %g Gb/s a node; want none", text, got)
		}
	}
}

// TestCardsWithBridges: a bridge joins pairs, or four where it is built so; more
// cards a node meet over PCIe, which is said.
func TestCardsWithBridges(t *testing.T) {
	for _, c := range []struct {
		gpu, intra string
		perNode    int
		want       string
	}{
		{"H100 NVL", "NVLink bridge", 8, "pcie 63 true"}, {"H100 NVL", "NVLink bridge", 2, "nvlink 300 false"}, {"H100 NVL", "", 2, "nvlink 300 false"}, {"H100 NVL", "NVLink4 bridges (pairs)", 4, "pcie 63 true"},
		{"NVIDIA H100 NVL 94GB", "NVLink", 8, "pcie 63 true"}, {"H100 NVL", "PCIe Gen5", 8, "pcie 63 false"}, {"H100 PCIe", "NVLink bridge", 2, "nvlink 300 false"}, {"H100 PCIe", "", 8, "pcie 63 false"},
		{"A100-PCIE-80GB", "NVLink bridge", 4, "pcie 31 true"}, {"A100-PCIE-80GB", "NVLink", 2, "nvlink 300 false"}, {"H200 NVL", "NVLink 4-way bridge", 4, "nvlink 450 false"}, {"H200 NVL", "", 8, "pcie 63 true"},
		{"RTX A6000", "NVLink bridge", 2, "nvlink 56 false"}, {"RTX A6000", "NVLink bridge", 8, "pcie 31 true"}, {"RTX 3090", "NVLink", 2, "nvlink 56 false"}, {"H100 SXM", "NVLink NV18", 8, "nvswitch-4 450 false"},
	} {
		s := Read(Words{GPU: c.gpu, IntraLink: c.intra, Ranks: c.perNode, Nodes: 1, PerNode: c.perNode})
		if got := fmt.Sprintf("%s %g %v", s.Scale, s.Rate, s.Guessed("link")); got != c.want {
			t.Errorf("%d × %q, %q: %s, %+v; want %s", c.perNode, c.gpu, c.intra, got, s.Guesses, c.want)
		}
	}
}

// TestAcceleratorsWithoutBlanks: counts, vendors and forms that are written as
// one word with an accelerator.
func TestAcceleratorsWithoutBlanks(t *testing.T) {
	for text, want := range map[string]string{
		"8xH100": "H100 450", "8×H100": "H100 450", "H100x8": "H100 450", "H100 x 8": "H100 450", "8*A100-80G": "A100 300", "A100x4": "A100 300", "8xL40S": "L40S 31", "DGXH100": "H100 450", "HGXB200": "B200 900",
		"H100SXM5": "H100 450", "H100SXM": "H100 450", "H100PCIe": "H100 PCIe 63", "A100PCIE": "A100 PCIe 31", "V100SXM2": "V100 150", "H200SXM": "H200 450", "NVIDIA-H100-80GB-HBM3": "H100 450", "nvidia_h100_80gb_hbm3": "H100 450",
		"8 MI300X": "MI300X 448", "8xMI300X": "MI300X 448", "MI300Xx8": "MI300X 448", "AMD Instinct MI250X": "MI250X 150", "MI210": "MI250X 150", "MI308X": "MI300X 448", "Ascend910B": "Ascend 196", "Ascend 910B2C": "Ascend 196", "昇腾910C": "Ascend 392",
		"Ascend910C": "Ascend 392", "910B3": "Ascend 196", "Gaudi3": "Gaudi 525", "Intel Gaudi 3 HL-325L": "Gaudi 525", "HL-225": "Gaudi 262.5", "Gaudi2": "Gaudi 262.5", "TPU v5p": "TPU 100", "TPUv4": "TPU 100", "Trainium1": "Trainium 384",
		"trn1.32xlarge": "Trainium 384", "Trainium2": "Trainium 640", "trn2.48xlarge": "Trainium 640", "p4d.24xlarge": "A100 300", "GB200 NVL72": "GB200 900", "GB200NVL72": "GB200 900", "GB200 NVL36x2": "GB200 900", "Standard_ND96isr_H100_v5": "H100 450",
		"BM.GPU.H100.8": "H100 450", "a2-highgpu-8g": "A100 300", "H20-3e": "H20 450", "RTX4090": "RTX 4090 31", "GeForceRTX4090": "RTX 4090 31", "RTX 6000 Ada Generation": "L40S 31", "Tesla T4": "RTX 2080 16",
	} {
		s := Read(Words{GPU: text, Ranks: 8, Nodes: 1, PerNode: 8})
		if got := fmt.Sprintf("%s %g", s.Family, s.Rate); got != want {
			t.Errorf("%q is %s; want %s", text, got, want)
		}
	}
}

// TestContradictionsAreNamed: ranks, nodes and ranks of a node that do not fit
// each other are no shape, and the guess names all three.
func TestContradictionsAreNamed(t *testing.T) {
	for _, c := range []struct {
		ranks, nodes, perNode int
		want                  string
		says                  string
	}{
		{16, 3, 8, "16 2 8", "16 ranks do not fill 3 nodes of 8"}, {64, 2, 8, "64 8 8", "64 ranks do not fill 2 nodes of 8"}, {4, 8, 0, "4 4 1", "4 ranks cannot be on 8 nodes"}, {4, 4, 8, "4 1 4", "4 ranks do not fill"},
		{20, 3, 8, "20 3 8", ""}, {15, 3, 5, "15 3 5", ""}, {0, 3, 5, "15 3 5", ""}, {1, 1, 1, "1 1 1", ""}, {1, 1, 8, "1 1 1", ""}, {4, 1, 8, "4 1 4", ""},
	} {
		s := Read(Words{GPU: "H100", InterLink: "8x400G IB", Ranks: c.ranks, Nodes: c.nodes, PerNode: c.perNode})
		says := ""
		for _, g := range s.Guesses {
			if g.Code == "shape" {
				says = g.Message
			}
		}
		if got := fmt.Sprint(s.Ranks, s.Nodes, s.PerNode); got != c.want || (says == "") != (c.says == "") || !strings.HasPrefix(says, c.says) {
			t.Errorf("%d ranks, %d × %d: %s, %q; want %s, %q", c.ranks, c.nodes, c.perNode, got, says, c.want, c.says)
		}
	}
}
