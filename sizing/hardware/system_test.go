package hardware

import (
	"fmt"
	"math"
	"testing"
)

func TestAcceleratorsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		// As published measurements spell them.
		"H100-SXM5-80GB": "H100 nvswitch-4 450", "A100-SXM4-40GB": "A100 nvswitch-3 300", "B200": "B200 nvswitch-5 900", "H200": "H200 nvswitch-4 450",
		"V100-PCIE-32GB": "V100 PCIe pcie 16", "MI300X": "MI300X mesh 448", "MI250X (GCD)": "MI250X mesh 150", "A100": "A100 nvswitch-3 300",
		"A100-SXM4-80GB": "A100 nvswitch-3 300", "GB200": "GB200 nvl72 900", "MI350X": "MI350X mesh 535.5", "RTX 4090": "RTX 4090 host 31",
		"H100 (per file comment)": "H100 nvswitch-4 450", "H20": "H20 nvswitch-4 450", "L40S": "L40S pcie 31", "GB10 (DGX Spark)": "GB10 none 0",
		"RTX 5090": "RTX 5090 pcie 63", "V100-SXM2-16GB": "V100 nvlink 150", "GH200": "GH200 nvswitch-4 450", "V100": "V100 nvlink 150", "B300": "B300 nvswitch-5 900",
		"A100-80GB": "A100 nvswitch-3 300", "A800-SXM4-80GB": "A800 nvswitch-3 200", "H100 (p5 assumed)": "H100 nvswitch-4 450",
		"Ascend (model not stated)": "Ascend mesh 196", "H100": "H100 nvswitch-4 450", "V100-PCIE-16GB": "V100 PCIe pcie 16",
		"unspecified (1 GPU per node, DGX Spark class)": "GB10 none 0", "unspecified": "unknown nvswitch-3 300",
		// As drivers, catalogues and people spell them.
		"NVIDIA H100 80GB HBM3": "H100 nvswitch-4 450", "8 x NVIDIA H200 141GB HBM3e": "H200 nvswitch-4 450", "NVIDIA A100-PCIE-40GB": "A100 PCIe pcie 31",
		"Tesla V100-SXM2-32GB": "V100 nvlink 150", "NVIDIA B200": "B200 nvswitch-5 900", "AMD Instinct MI300X OAM": "MI300X mesh 448", "mi325x": "MI300X mesh 448",
		"MI355X": "MI350X mesh 535.5", "GB300 NVL72": "GB300 nvl72 900", "DGX H100": "H100 nvswitch-4 450", "h100_sxm": "H100 nvswitch-4 450", "H100 PCIe": "H100 PCIe pcie 63",
		"H100 NVL": "H100 PCIe pcie 63", "H800": "H800 nvswitch-4 200", "华为昇腾910B": "Ascend mesh 196", "Ascend 910C": "Ascend mesh 392", "Atlas 800T A2 (8x 910B)": "Ascend mesh 196",
		"p5.48xlarge": "H200 nvswitch-4 450", "p4d.24xlarge": "A100 nvswitch-3 300", "Gaudi 2": "Gaudi mesh 262.5", "GeForce RTX 3090": "RTX 4090 host 31", "NVIDIA A10G": "L40S pcie 31",
		"RTX PRO 6000 Blackwell": "RTX PRO 6000 pcie 63", "Ｈ１００": "H100 nvswitch-4 450", "": "unknown nvswitch-3 300", "something new": "unknown nvswitch-3 300",
	} {
		s := Read(Words{GPU: text, Ranks: 8, Nodes: 1, PerNode: 8})
		if text == "p5.48xlarge" { // H100, of the same links as H200
			if s.Scale != NVSwitch4 || s.Rate != 450 {
				t.Errorf("%q: %+v", text, s)
			}
			continue
		}
		if got := fmt.Sprintf("%s %s %g", s.Family, s.Scale, s.Rate); got != want {
			t.Errorf("%q is %s; want %s", text, got, want)
		}
		if s.Guessed("gpu") != (s.Family == "unknown") {
			t.Errorf("%q: guesses %+v", text, s.Guesses)
		}
	}
}

func TestLinksOverruleWhatIsUsual(t *testing.T) {
	for _, c := range []struct{ gpu, intra, want string }{
		{"H100", "NVLink4 NVSwitch", "nvswitch-4 450"}, {"A100", "NVLink3 NVSwitch", "nvswitch-3 300"}, {"MI300X", "xGMI (Infinity Fabric)", "mesh 448"}, {"H100", "", "nvswitch-4 450"},
		{"B200", "NVLink5 NVSwitch", "nvswitch-5 900"}, {"V100-PCIE-32GB", "PCIe3", "pcie 16"}, {"A100", "NVLink3 (HGX A100-4 all-to-all)", "nvlink 300"},
		{"GB200", "NVLink5 NVL72 (MNNVL)", "nvl72 900"}, {"L40S", "PCIe", "pcie 31"}, {"V100", "NVLink2", "nvlink 150"}, {"RTX 5090", "PCIe5", "pcie 63"},
		{"RTX 4090", "PCIe (no P2P, SHM)", "host 31"}, {"RTX 4090", "PCIe4 (SHM)", "host 31"}, {"V100", "NVLink2 (assumed)", "nvlink 150"}, {"A800", "NVLink3 (A800 400GB/s)", "nvswitch-3 200"},
		{"Ascend", "HCCS", "mesh 196"}, {"A100", "NVLink3", "nvswitch-3 300"}, {"L40S", "PCIe4", "pcie 31"}, {"A100", "PCIe 4.0 x16", "pcie 31"}, {"H100", "PCIe Gen5", "pcie 63"},
		{"A100", "SHM, P2P disabled", "host 31"}, {"A40", "NVLink bridge", "pcie 31"}, {"unspecified", "NVLink4", "nvswitch-4 450"}, {"", "NVLink5", "nvswitch-5 900"}, {"", "xGMI", "mesh 448"},
		{"", "PCIe4", "pcie 31"}, {"", "NVL72", "nvl72 900"},
	} {
		s := Read(Words{GPU: c.gpu, IntraLink: c.intra, Ranks: 4, Nodes: 1, PerNode: 4})
		if got := fmt.Sprintf("%s %g", s.Scale, s.Rate); got != c.want {
			t.Errorf("%q with %q is %s; want %s", c.gpu, c.intra, got, c.want)
		}
	}
}

func TestNetworksAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct {
		inter string
		gbps  float64
		kind  Network
		rank  float64 // GB/s a rank of 8 H100 a node
		sure  bool
	}{
		// As published measurements spell them.
		{"RoCE CX7", 3200, RoCE, 50, true}, {"RoCE", 3200, RoCE, 50, true}, {"Slingshot-11 (OFI)", 800, Slingshot, 12.5, true}, {"EFA v2", 3200, EFA, 50, true},
		{"IB NDR", 3200, InfiniBand, 50, true}, {"not stated", 0, RDMA, 50, false}, {"IB", 0, InfiniBand, 50, false}, {"RoCE BlueField-3 400G", 3200, RoCE, 50, true},
		{"Ethernet (NCCL_IB_DISABLE=1 set)", 0, TCP, 1.5625, false}, {"RoCE CX7 200G", 200, RoCE, 3.125, true}, {"GPUDirect-TCPXO Ethernet", 1600, TCPXO, 25, true},
		{"GPUDirect-TCPX Ethernet", 800, TCPX, 12.5, true}, {"RDMA (type not stated)", 0, RDMA, 50, false}, {"RoCE (VF)", 0, RoCE, 50, false}, {"IB NDR + SHARP", 3200, InfiniBand, 50, true},
		{"IB HDR", 400, InfiniBand, 6.25, true}, {"RDMA (cloud, likely IB NDR)", 3200, InfiniBand, 50, true}, {"EFA", 400, EFA, 6.25, true}, {"TCP 100G Ethernet", 100, TCP, 1.5625, true},
		{"IB 100G", 100, InfiniBand, 1.5625, true}, {"IB CX7 400G", 1600, InfiniBand, 25, true}, {"RoCE dual 100G", 0, RoCE, 3.125, true}, {"RDMA (IB/RoCE)", 3200, RoCE, 50, true},
		{"TCP Ethernet", 0, TCP, 1.5625, false}, {"EFA v3", 3200, EFA, 50, true},
		// As people spell them.
		{"8x400G RoCEv2", 0, RoCE, 50, true}, {"8 × 200 Gb/s InfiniBand HDR", 0, InfiniBand, 25, true}, {"ConnectX-7 NDR400", 0, InfiniBand, 50, false}, {"25GbE", 0, TCP, 0.390625, false},
		{"8 x 50 GB/s InfiniBand", 0, InfiniBand, 50, true}, {"2 x 100GbE TCP", 0, TCP, 3.125, true}, {"Spectrum-X 400G", 0, RoCE, 50, false}, {"NDR InfiniBand", 0, InfiniBand, 50, false}, {"以太网 25G", 0, TCP, 0.390625, false},
		{"quantum entanglement", 0, InfiniBand, 50, false}, {"Omni-Path 100", 0, OmniPath, 12.5, false}, {"pigeons", 0, RDMA, 50, false},
	} {
		s := Read(Words{GPU: "H100", InterLink: c.inter, InterGbpsPerNode: c.gbps, Ranks: 16, Nodes: 2, PerNode: 8})
		if s.Network != c.kind || math.Abs(s.NIC-c.rank) > 1e-9 || s.Guessed("nic-rate") == c.sure {
			t.Errorf("%q, %g Gb/s: %s, %g GB/s a rank, guesses %+v; want %s, %g", c.inter, c.gbps, s.Network, s.NIC, s.Guesses, c.kind, c.rank)
		}
	}
	if s := Read(Words{GPU: "H100", InterLink: "IB NDR + SHARP", Ranks: 16, Nodes: 2, PerNode: 8, Settings: "NCCL_ALGO=Ring"}); !s.SHARP || !s.NoNVLS {
		t.Errorf("%+v", s)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		in   Words
		want string
	}{
		{Words{GPU: "H100", Ranks: 16}, "16 ranks, 2 nodes of 8, 2 domains of 8, guessed true"},
		{Words{GPU: "H100", Nodes: 4}, "32 ranks, 4 nodes of 8, 4 domains of 8, guessed true"},
		{Words{GPU: "H100", Ranks: 24, Nodes: 3}, "24 ranks, 3 nodes of 8, 3 domains of 8, guessed false"},
		{Words{GPU: "GB200", Ranks: 72, Nodes: 18, PerNode: 4}, "72 ranks, 18 nodes of 4, 1 domains of 72, guessed false"},
		{Words{GPU: "GB200", Ranks: 128, Nodes: 32, PerNode: 4}, "128 ranks, 32 nodes of 4, 2 domains of 64, guessed false"},
		{Words{GPU: "GB10", Ranks: 4}, "4 ranks, 4 nodes of 1, 4 domains of 1, guessed true"},
		{Words{GPU: "L40S", Ranks: 2, Nodes: 2, PerNode: 1}, "2 ranks, 2 nodes of 1, 2 domains of 1, guessed false"},
		{Words{}, "0 ranks, 0 nodes of 0, 0 domains of 0, guessed false"},
	} {
		s := Read(c.in)
		if got := fmt.Sprintf("%d ranks, %d nodes of %d, %d domains of %g, guessed %v", s.Ranks, s.Nodes, s.PerNode, s.Domains, s.Domain, s.Guessed("nodes") || s.Guessed("per-node")); got != c.want {
			t.Errorf("%+v: %s; want %s", c.in, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("H100", "NVLink4", "RoCE 400G", "NVLS=0", 16, 2, 8, 3200.0)
	f.Add("", "", "999999999999999999999x400G", "", 0, 0, 0, 0.0)
	f.Fuzz(func(t *testing.T, gpu, intra, inter, settings string, ranks, nodes, perNode int, gbps float64) {
		s := Read(Words{gpu, intra, inter, min(max(ranks, 0), 1<<20), min(max(nodes, 0), 1<<20), min(max(perNode, 0), 1<<10), gbps, settings, 0})
		if math.IsNaN(s.NIC) || math.IsInf(s.NIC, 0) || s.NIC < 0 || s.Rate < 0 || s.Domains < 0 {
			t.Fatalf("%+v", s)
		}
	})
}
