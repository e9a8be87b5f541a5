package diagnose

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"lockstep/engine/schedule"
	"lockstep/sizing/benchlog"
)

// table examines a text that holds one table.
func table(t *testing.T, d *Doctor, text string, says Statement) File {
	t.Helper()
	files, err := d.Read("all_reduce.txt", []byte(text), says)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d tables, %v, of\n%s", len(files), err, text)
	}
	for _, f := range files[0].Findings {
		keepsItsForm(t, f)
	}
	return files[0]
}

// form is a finding by its code and case.
func form(f Finding) string {
	return strings.TrimSuffix(string(f.Severity)+" "+string(f.Code)+"."+f.Values["why"], ".")
}

func forms(f File) []string {
	var all []string
	for _, found := range f.Findings {
		all = append(all, form(found))
	}
	return all
}

// What no system can show is never healthy, and not kept for predictions.
func TestImpossibleFigures(t *testing.T) {
	d := doctor(t)
	for name, c := range map[string]struct{ text, want string }{
		"a ratio beyond any number of ranks": {devices(2) + "1073741824 268435456 float sum -1 4300 249.7 624.3 0 4300 249.7 624.3 0\n", "critical impossible.ratio"},
		"a ratio below that of two ranks":    {devices(2) + "1073741824 268435456 float sum -1 4300 249.7 124.8 0 4300 249.7 124.8 0\n", "critical impossible.ratio"},
		"faster than the links":              {devices(1) + "1073741824 268435456 float sum -1 850 1263.2 2210.6 0 850 1263.2 2210.6 0\n", "critical impossible.rate"},
		"faster than the NICs":               {devices(2) + "1073741824 268435456 float sum -1 860 1248.5 2340.9 0 860 1248.5 2340.9 0\n", "critical impossible.rate"},
		"fast and small":                     {devices(2) + "1048576 262144 float sum -1 0.84 1248.3 2340.6 0 0.84 1248.3 2340.6 0\n", "critical impossible.rate"},
		"times of another run":               {devices(2) + "1073741824 268435456 float sum -1 14300 249.7 468.2 0 14300 249.7 468.2 0\n", "critical impossible.time"},
	} {
		f := table(t, d, c.text, Statement{})
		if got := forms(f); !slices.Contains(got, c.want) || slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, string(AsExpected)) }) {
			t.Errorf("%s: %q; want %s", name, got, c.want)
		}
		if f.Verdict != Unusable || f.Share != 0 || f.Reached != 0 {
			t.Errorf("%s is %s, %.2f of what it should be", name, f.Verdict, f.Share)
		}
		_, err := d.Tables("a.txt", []byte(c.text+strings.Replace(c.text[strings.LastIndex(c.text[:len(c.text)-1], "\n")+1:], "1", "2", 1)), Statement{Collective: schedule.AllReduce})
		if unfit := new(UnfitError); !errors.As(err, &unfit) || !unfit.Shows.voids() || !strings.Contains(err.Error(), "a.txt") {
			t.Errorf("%s is kept: %v", name, err)
		}
	}
	// More than the model says, and less than cannot be.
	slower := table(t, d, devices(2)+"1073741824 268435456 float sum -1 2800 383.5 719.0 0 2800 383.5 719.0 0\n", Statement{Network: "8 x 400 Gb/s InfiniBand"})
	if got := forms(slower); !slices.Contains(got, "warning too-fast") {
		t.Errorf("%q, %+v", got, slower.Expected)
	}
}

// Where ranks and NICs sit and how large packets are is a finding where the log
// shows it, and counts as much as bandwidth suffers.
func TestPlacementAndPackets(t *testing.T) {
	d := doctor(t)
	const (
		dead  = "1073741824 268435456 float sum -1 400000 2.68 5.03 0 400000 2.68 5.03 0\n"
		graph = "node0:1:1 [0] NCCL INFO GPU/0-19000 :GPU/0-19000 (0/5000.0/LOC) GPU/0-2d000 (2/240.0/NVL) CPU/0-0 (2/24.0/PHB) NET/0-0 (6/10.0/SYS) NET/0-1 (7/10.0/SYS)\n"
		topo  = "        GPU0    GPU1    NIC0    NIC1    CPU Affinity    NUMA Affinity\nGPU0     X      NV18    SYS     SYS     0-55    0\nGPU1    NV18     X      PIX     SYS     56-111  1\nNIC0    SYS     PIX      X      SYS\n"
		near  = "        GPU0    GPU1    NIC0    NIC1    CPU Affinity    NUMA Affinity\nGPU0     X      NV18    PXB     SYS     0-55    0\nGPU1    NV18     X      SYS     PIX     56-111  1\n"
		port  = "node0:1:1 [0] NCCL INFO NET/IB: IbDev 0 Port 1 qpn 1234 mtu 3 GID 3 (FE80/0)\n"
		verbs = "\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t1024 (3)\n"
		fair  = "\t\t\tactive_mtu:\t\t4096 (5)\n"
		link  = "node0:1:1 [0] NCCL INFO NET/Socket : Using [0]eth0:192.0.2.1<0>\n2: eth0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc mq state UP\n"
	)
	for text, want := range map[string]string{
		devices(2) + graph + crawling: "warning numa.processors",
		devices(2) + topo + crawling:  "warning numa.processors",
		devices(2) + topo + fine:      "info numa.processors",
		devices(2) + near + crawling:  "",
		devices(2) + port + crawling:  "warning small-mtu.rdma",
		devices(2) + verbs + crawling: "warning small-mtu.rdma",
		devices(2) + verbs + fine:     "info small-mtu.rdma",
		devices(2) + fair + crawling:  "",
		devices(2) + link + dead:      "warning small-mtu.interface",
		devices(1) + verbs + fine:     "",
		devices(2) + "node0:1:1 [0] NCCL INFO NCCL_IGNORE_CPU_AFFINITY set by environment to 1.\n" + crawling: "warning numa.affinity",
	} {
		var got string
		for _, f := range forms(table(t, d, text, Statement{})) {
			if strings.Contains(f, string(NUMA)) || strings.Contains(f, string(SmallMTU)) {
				got += f
			}
		}
		if got != want {
			t.Errorf("%q; want %q, of\n%s", got, want, text)
		}
	}
}

// What explains a figure comes before what could: over sockets, why there are
// sockets.
func TestSocketsComeBeforeNICs(t *testing.T) {
	d := doctor(t)
	const socket = "node0:1:1 [0] NCCL INFO NET/Socket : Using [0]eth0:192.0.2.1<0>\nnode0:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0\n"
	for why, text := range map[string]string{
		"none":   "node0:1:1 [0] NCCL INFO NET/IB : No device found.\n" + socket,
		"asked":  "node0:1:1 [0] NCCL INFO NCCL_NET set by environment to Socket.\n" + socket,
		"socket": socket,
	} {
		f := table(t, d, devices(2)+text+"1073741824 268435456 float sum -1 400000 2.68 5.03 0 400000 2.68 5.03 0\n", Statement{})
		got := forms(f)
		if len(got) < 2 || got[0] != "critical socket-fallback."+why || !slices.Contains(got, "critical slow.sockets") {
			t.Errorf("%s: %q", why, got)
		}
		for _, found := range f.Findings {
			if strings.Contains(strings.Join(found.Commands, "\n"), "ibstat") {
				t.Errorf("%s advises ibstat: %q", form(found), found.Commands)
			}
		}
	}
}

// What is undefined is absent, and a 0 that the log prints is a figure.
func TestUndefinedFieldsAreAbsent(t *testing.T) {
	d := doctor(t)
	for want, text := range map[string]string{
		`{"size_bytes":0,"count":0,"in_place":false,"time_us":4.5,"algbw_gbytes_per_s":0,"busbw_gbytes_per_s":0,"wrong":0}`: devices(1) + "0 0 float sum -1 4.5 0.00 0.00 0 4.5 0.00 0.00 0\n",
		`{"size_bytes":0,"in_place":false,"time_us":1.5}`:                                                                   "# OSU MPI-CUDA Reduce Latency Test v7.4\n# Size       Avg Latency(us)\n0 1.50\n",
		`{"size_bytes":8,"in_place":false,"time_us":1.5}`:                                                                   "# OSU MPI-CUDA Allgather Latency Test v7.4\n# Size       Avg Latency(us)\n8 1.50\n",
	} {
		row, err := json.Marshal(table(t, d, text, Statement{}).Rows[0])
		if err != nil || string(row) != want {
			t.Errorf("%s, %v; want %s", row, err, want)
		}
	}
}

// What Windows' shells redirect reads like what others do.
func TestUTF16Reads(t *testing.T) {
	d := doctor(t)
	text := devices(2) + strings.ReplaceAll(fine, "\n", "\r\n")
	want := table(t, d, text, Statement{})
	for name, c := range map[string]struct{ mark, big, odd bool }{
		"little end first": {mark: true}, "big end first": {mark: true, big: true}, "without a mark": {}, "big without a mark": {big: true}, "broken off": {mark: true, odd: true},
	} {
		var raw []byte
		put := func(u uint16) {
			if pair := []byte{byte(u), byte(u >> 8)}; c.big {
				raw = append(raw, pair[1], pair[0])
			} else {
				raw = append(raw, pair...)
			}
		}
		if c.mark {
			put(0xFEFF)
		}
		for _, u := range utf16.Encode([]rune(text + "温度 🌡\n")) {
			put(u)
		}
		if c.odd {
			raw = append(raw, 'x')
		}
		got := table(t, d, string(raw), Statement{})
		if got.Ranks != want.Ranks || len(got.Rows) != len(want.Rows) || got.Verdict != want.Verdict {
			t.Errorf("%s: %+v", name, got)
		}
		if plain := string(benchlog.Plain(raw)); !strings.HasSuffix(strings.TrimSuffix(plain, "x"), "温度 🌡\n") {
			t.Errorf("%s: ends with %q", name, plain[len(plain)-20:])
		}
	}
}
