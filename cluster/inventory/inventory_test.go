package inventory

import (
	"io/fs"
	"maps"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/unit"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

var folder = &fstest.MapFile{Mode: fs.ModeDir | 0o755}

var machine = fstest.MapFS{
	"proc/sys/kernel/osrelease": file("6.8.0-45-generic\n"),
	"proc/cpuinfo": file("processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Gold 6430\nflags\t\t: fpu\n\n" +
		"processor\t: 1\nmodel name\t: another\n"),
	"proc/meminfo": file("MemTotal:       24683548 kB\nMemFree:        24076528 kB\n"),
}

// port adds a network port to a copy of root.
func port(root fstest.MapFS, name string, files map[string]*fstest.MapFile) fstest.MapFS {
	with := maps.Clone(root)
	for file, content := range files {
		with["sys/class/net/"+name+"/"+file] = content
	}
	return with
}

func TestReadLinux(t *testing.T) {
	root := port(machine, "lo", map[string]*fstest.MapFile{"type": file("772\n"), "operstate": file("unknown\n")})
	root = port(root, "eth1", map[string]*fstest.MapFile{
		"type": file("1\n"), "operstate": file("up\n"), "speed": file("100000\n"), "device": folder})
	root = port(root, "eth0", map[string]*fstest.MapFile{
		"type": file("1\n"), "operstate": file("up\n"), "speed": file("-1\n"), "device": folder})
	root = port(root, "ib0", map[string]*fstest.MapFile{
		"type": file("32\n"), "operstate": file("down\n"), "device": folder})
	root = port(root, "docker0", map[string]*fstest.MapFile{
		"type": file("1\n"), "operstate": file("up\n"), "speed": file("10000\n"), "bridge": folder})
	root = port(root, "veth7a", map[string]*fstest.MapFile{
		"type": file("1\n"), "operstate": file("up\n"), "speed": file("10000\n"), "brport": folder})
	root = port(root, "ifb0", map[string]*fstest.MapFile{"type": file("1\n"), "operstate": file("down\n")})
	var got Node
	got.readLinux(root)
	want := Node{
		Kernel: "6.8.0-45-generic",
		CPU:    "Intel(R) Xeon(R) Gold 6430",
		Memory: 24683548 * unit.KiB,
		NICs: []NIC{
			{Name: "eth0", Kind: Ethernet, Up: true},
			{Name: "eth1", Kind: Ethernet, Up: true, Rate: 12.5e9},
			{Name: "ib0", Kind: InfiniBand},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
}

func TestContainerSeesItsCable(t *testing.T) {
	var got Node
	got.readLinux(port(machine, "eth0", map[string]*fstest.MapFile{
		"type": file("1\n"), "operstate": file("up\n"), "speed": file("10000\n")}))
	if diff := cmp.Diff([]NIC{{Name: "eth0", Kind: Ethernet, Up: true, Rate: 1.25e9}}, got.NICs); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}

func TestAbsentFactsAreAbsent(t *testing.T) {
	for name, root := range map[string]fstest.MapFS{
		"nothing there": {},
		"nonsense": {
			"proc/cpuinfo": file("processor\t: 0\nCPU implementer\t: 0x41\n"),
			"proc/meminfo": file("MemTotal: many kB\n"),
		},
	} {
		var got Node
		got.readLinux(root)
		if diff := cmp.Diff(Node{}, got); diff != "" {
			t.Errorf("%s: facts out of nowhere (-want +got):\n%s", name, diff)
		}
	}
}

func TestReadThisMachine(t *testing.T) {
	n := Read()
	if n.OS != runtime.GOOS || n.Arch != runtime.GOARCH {
		t.Errorf("machine is %s/%s, want %s/%s", n.OS, n.Arch, runtime.GOOS, runtime.GOARCH)
	}
	if n.CPUs < 1 {
		t.Errorf("%d CPUs are running this test", n.CPUs)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if n.Memory < 16*unit.MiB || n.Kernel == "" || strings.TrimSpace(n.Kernel) != n.Kernel {
		t.Errorf("kernel %q, memory %v", n.Kernel, n.Memory)
	}
	for _, nic := range n.NICs {
		if nic.Name == "lo" {
			t.Error("loopback is listed")
		}
	}
}
