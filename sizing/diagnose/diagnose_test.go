package diagnose

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/sizing/catalog"
	"lockstep/sizing/measured"
)

func doctor(t testing.TB) *Doctor {
	t.Helper()
	library, err := measured.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return New(library, known)
}

func codes(f File) []string {
	var all []string
	for _, found := range f.Findings {
		all = append(all, string(found.Severity)+" "+string(found.Code))
	}
	return all
}

const logs = "../benchlog/testdata/logs"

// What published logs show is found, and nothing is found that they do not.
func TestPublishedLogs(t *testing.T) {
	d := doctor(t)
	for name, want := range map[string][]string{
		"a100_8x1_allgather_v2.10_noredop.txt":                      {"info as-expected", "info average-misread"},
		"a100_8x1_allreduce_v2.10_noroot.txt":                       {"info as-expected", "info average-misread"},
		"a100_8x1_broadcast_v2.10_root.txt":                         {"info as-expected", "info average-misread"},
		"a100pcie_1x2_allreduce_unhealthy_gdr_over_socket_link.txt": {"critical slow", "warning gdr-level-forced", "warning cliff", "info average-misread"},
		"ascend_16x8_hccl_test_allreduce.txt":                       {"warning ranks-unknown"},
		"b200_1x2_allgather_zero_rows.txt":                          {"info as-expected", "info average-misread"},
		"gh200_osu_alltoall_v7.4_full.txt":                          {"warning ranks-unknown", "warning system-unknown"},
		"h100_8x1_allreduce_sidework_header.txt":                    {"info as-expected", "info cold-rows", "info average-misread"},
		"h100_8x2_allreduce_tcpxo_full.txt":                         {"info as-expected", "info average-misread", "info above-the-wire"},
		"h100_8x2_allreduce_unhealthy_gdrlevel_debuginfo.txt":       {"critical slow", "warning gdr-level-forced", "info average-misread", "info above-the-wire"},
		"mi300x_8x2_allreduce_rccl_develop.txt":                     {"info as-expected", "info above-the-wire"},
		"v100pcie_4x1_allreduce_v2.4_error_sci.txt":                 {"info as-expected", "info cold-rows", "info average-misread"},
	} {
		text, err := os.ReadFile(filepath.Join(logs, name))
		if err != nil {
			t.Fatal(err)
		}
		files, err := d.Read(name, text, Statement{})
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %d tables, %v", name, len(files), err)
		}
		if got := codes(files[0]); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
		for _, f := range files[0].Findings {
			if f.Message == "" || f.Evidence == "" {
				t.Errorf("%s: %+v", name, f)
			}
			keepsItsForm(t, f)
		}
		if _, err := json.Marshal(files[0]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// devices lists ranks of some nodes of 8 H100.
func devices(nodes int) string {
	var b strings.Builder
	for rank := range 8 * nodes {
		b.WriteString("#  Rank " + string(rune('0'+rank/10)) + string(rune('0'+rank%10)) + " Group  0 Pid   1000 on  node" + string(rune('0'+rank/8)) + " device  " + string(rune('0'+rank%8)) + " [0000:19:00] NVIDIA H100 80GB HBM3\n")
	}
	return b.String()
}

const (
	fine     = "1073741824 268435456 float sum -1 4300 249.7 468.2 0 4300 249.7 468.2 0\n"
	crawling = "1073741824 268435456 float sum -1 40000 26.84 50.33 0 40000 26.84 50.33 0\n"
)

func TestFindings(t *testing.T) {
	d := doctor(t)
	for want, text := range map[string]string{
		"critical socket-fallback":   devices(2) + "node0:1:1 [0] NCCL INFO NET/Socket : Using [0]eth0:192.0.2.1<0>\nnode0:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0\n" + crawling,
		"warning socket-fallback":    devices(2) + "node0:1:1 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.\n" + crawling,
		"critical gdr-level-forced":  devices(2) + "node0:1:1 [0] NCCL INFO NCCL_NET_GDR_LEVEL set by environment to LOC\n" + crawling,
		"critical gdr-off":           devices(2) + "node0:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0\n" + crawling,
		"critical one-rail":          devices(2) + "node0:1:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:192.0.2.1<0>\n" + crawling,
		"warning few-nics":           devices(2) + "node0:1:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB eth0:192.0.2.1<0>\n" + fine,
		"info nic-list":              devices(2) + "mpirun -np 16 -x NCCL_IB_HCA=mlx5_0 ./all_reduce_perf -b 8\n" + fine,
		"critical no-p2p":            devices(1) + "export NCCL_P2P_DISABLE=1\n" + fine,
		"warning no-p2p":             devices(1) + "node0:1:1 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n" + fine,
		"warning flat-topology":      devices(2) + "node0:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Ring\n" + fine,
		"info forced-setting":        devices(1) + "NCCL_PROTO=LL128\n" + fine,
		"critical wrong-results":     devices(2) + "1073741824 268435456 float sum -1 4300 249.7 468.2 17 4300 249.7 468.2 0\n",
		"critical rank-count":        strings.ReplaceAll(devices(2), "Rank 15", "Rank 31") + fine,
		"critical slow":              devices(2) + crawling,
		"warning slow":               devices(2) + "1073741824 268435456 float sum -1 7000 153.4 287.6 0 7000 153.4 287.6 0\n",
		"info as-expected":           devices(2) + fine,
		"warning falls-off":          devices(2) + "268435456 67108864 float sum -1 1100 244.0 457.6 0 1100 244.0 457.6 0\n536870912 134217728 float sum -1 2200 244.0 457.6 0 2200 244.0 457.6 0\n1073741824 268435456 float sum -1 6450 166.5 312.1 0 6450 166.5 312.1 0\n",
		"info in-place":              devices(2) + "1073741824 268435456 float sum -1 8600 124.9 234.1 0 4300 249.7 468.2 0\n",
		"info small-only":            devices(2) + "1048576 262144 float sum -1 100 10.5 19.7 0 100 10.5 19.7 0\n",
		"warning collective-unknown": devices(2) + "1073741824 16777216 float none -1 24000 44.74 41.94 0 24000 44.74 41.94 0\n",
		"warning library-warns":      devices(2) + "node0:1:1 [0] transport/net_ib.cc:120 NCCL WARN NET/IB : Got completion with error 12\n" + fine,
	} {
		files, err := d.Read("pasted.txt", []byte(text), Statement{})
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %d tables, %v", want, len(files), err)
		}
		if got := codes(files[0]); !slices.Contains(got, want) {
			t.Errorf("%q, not %s (expected %+v)", got, want, files[0].Expected)
		}
		for _, f := range files[0].Findings {
			keepsItsForm(t, f)
		}
	}
	if _, err := d.Read("x.log", []byte("nothing here"), Statement{}); err == nil || !strings.Contains(err.Error(), "x.log") {
		t.Errorf("no table: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("all_reduce", devices(2)+crawling)
	f.Add("x", "1 1 float sum -1 1.0 1.00 1.00 0\n")
	d := doctor(f)
	f.Fuzz(func(t *testing.T, name, text string) {
		files, err := d.Read(name, []byte(text), Statement{})
		if err != nil {
			return
		}
		if _, err := json.Marshal(files); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, f := range file.Findings {
				keepsItsForm(t, f)
			}
		}
	})
}
