package inventory

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"lockstep/engine/unit"
)

// recorded is the tree of a machine in testdata: files, and symbolic links as
// "path -> target".
func recorded(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root := fstest.MapFS{}
	for _, f := range archive.Files {
		if name, target, link := strings.Cut(f.Name, " -> "); link {
			root[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
			continue
		}
		root[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return root
}

// library adds a library of testdata to a tree.
func library(t *testing.T, root fstest.MapFS, place, from string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", from))
	if err != nil {
		t.Fatal(err)
	}
	root[place] = &fstest.MapFile{Data: content, Mode: 0o755}
}

func at(n int) *int { return &n }

func TestVirtualMachine(t *testing.T) {
	var got Node
	root := recorded(t, "vm")
	got.readLinux(root)
	got.surveyFiles(root, nil, nil)
	want := Node{
		Kernel: "6.18.44-fc-v1045", CPU: "AMD EPYC", Memory: 24683548 * unit.KiB,
		Domains:   []Domain{{List: "0-1", CPUs: 2, Memory: 13723384 * unit.KiB}},
		NICs:      []NIC{{Name: "eth0", Kind: Ethernet, Up: true, Driver: "virtio_net", Bus: "0000:00:03.0"}},
		GPUsWhy:   NoDriver,
		Libraries: []Library{{Name: "libmpi"}, {Name: "libnccl"}, {Name: "librccl"}, {Name: "libcuda"}, {Name: "libhccl"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
}

func TestHostWithEightGPUs(t *testing.T) {
	var got Node
	root := recorded(t, "dgx")
	got.readLinux(root)
	got.surveyFiles(root, nil, nil)
	got.near(root)
	if want := []Domain{
		{Number: 0, Socket: 0, List: "0-55,112-167", CPUs: 112, Memory: 1056688128 * unit.KiB},
		{Number: 1, Socket: 1, List: "56-111,168-223", CPUs: 112, Memory: 1056688128 * unit.KiB},
	}; !cmp.Equal(want, got.Domains) {
		t.Errorf("NUMA nodes (-want +got):\n%s", cmp.Diff(want, got.Domains))
	}
	const infiniband = 50e9 // 400 Gb/s
	want := []NIC{
		{Name: "eno3", Kind: Ethernet, Rate: 1.25e9, Up: true, Driver: "ixgbe", Bus: "0000:02:00.0", NUMA: at(0)},
		{Name: "ibp26s0", Kind: InfiniBand, Rate: infiniband, Up: true, Driver: "mlx5_core", Bus: "0000:1a:00.0", NUMA: at(0), Near: []int{0}},
		{Name: "ibp64s0", Kind: InfiniBand, Rate: infiniband, Up: true, Driver: "mlx5_core", Bus: "0000:40:00.0", NUMA: at(0), Near: []int{1}},
	}
	for i, bus := range []string{"50", "5f", "9b", "c0", "cf", "dd"} { // without an interface of their own
		nic := NIC{Name: "mlx5_" + string(rune('2'+i)), Kind: InfiniBand, Rate: infiniband, Up: true, Driver: "mlx5_core",
			Bus: "0000:" + bus + ":00.0", NUMA: at(min(i/2, 1)), Near: []int{i + 2}}
		if i == 3 {
			nic.Up, nic.Rate = false, 0
		}
		want = append(want, nic)
	}
	if diff := cmp.Diff(want, got.NICs); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
	if len(got.GPUs) != 8 || got.GPUDriver != "550.90.07" || got.GPUsWhy != WithoutNVML {
		t.Fatalf("%d GPUs with driver %q, %s", len(got.GPUs), got.GPUDriver, got.GPUsWhy)
	}
	if diff := cmp.Diff(GPU{Name: "NVIDIA H100 80GB HBM3", ID: "a1b2c304", Bus: "0000:9d:00.0", NUMA: at(1)}, got.GPUs[4]); diff != "" {
		t.Errorf("GPU 4 (-want +got):\n%s", diff)
	}
	paths := map[Path]int{}
	for _, l := range got.GPULinks {
		paths[l.Path]++
	}
	if diff := cmp.Diff(map[Path]int{NODE: 2 * 6, SYS: 16}, paths); diff != "" {
		t.Errorf("paths between GPUs (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(got)
	if err != nil || len(text) > 32<<10 {
		t.Errorf("%d bytes of JSON, %v", len(text), err)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	var back Node
	if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(got, back) {
		t.Errorf("%v; what came back differs (-sent +came):\n%s", err, cmp.Diff(got, back))
	}
}

func TestPathsBetweenDevices(t *testing.T) {
	one, two := at(0), at(1)
	for name, c := range map[string]struct {
		a, b             string
		domainA, domainB *int
		want             Path
	}{
		"one switch":         {"pci0000:17/17:01.0/18:00.0/19:00.0/1b:00.0", "pci0000:17/17:01.0/18:00.0/19:01.0/1a:00.0", one, one, PIX},
		"one card":           {"pci0000:17/17:01.0/18:00.0", "pci0000:17/17:01.0/18:00.1", one, one, PIX},
		"a switch on each":   {"pci0000:17/17:01.0/18:00.0/19:00.0/1a:00.0/1b:00.0/1c:00.0", "pci0000:17/17:01.0/18:00.0/19:01.0/20:00.0/21:00.0/22:00.0", one, one, PXB},
		"one root":           {"pci0000:00/00:01.0/01:00.0", "pci0000:00/00:02.0/02:00.0", nil, nil, PHB},
		"roots of one node":  {"pci0000:17/17:01.0/18:00.0", "pci0000:3d/3d:01.0/3e:00.0", one, one, NODE},
		"nodes":              {"pci0000:17/17:01.0/18:00.0", "pci0000:9d/9d:01.0/9e:00.0", one, two, SYS},
		"nodes, not told":    {"pci0000:17/17:01.0/18:00.0", "pci0000:9d/9d:01.0/9e:00.0", nil, nil, SYS},
		"one of them hidden": {"pci0000:17/17:01.0/18:00.0", "", one, one, ""},
	} {
		split := func(text string) []string {
			if text == "" {
				return nil
			}
			return strings.Split(text, "/")
		}
		if got := between(split(c.a), split(c.b), c.domainA, c.domainB); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestLibraries(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the libraries in testdata are for amd64")
	}
	link := func(root fstest.MapFS, name, target string) {
		root[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
	}
	root := fstest.MapFS{}
	library(t, root, "usr/lib/x86_64-linux-gnu/libmpi.so.40.40.3", "openmpi.so")
	link(root, "usr/lib/x86_64-linux-gnu/libmpi.so.40", "libmpi.so.40.40.3")
	link(root, "usr/lib/x86_64-linux-gnu/libmpi.so", "libmpi.so.40.40.3")
	library(t, root, "home/site/mpich/lib/libmpi.so.12", "mpich.so")
	library(t, root, "opt/nccl/lib/libnccl.so.2.21.5", "plain.so")
	link(root, "usr/lib/x86_64-linux-gnu/libnccl.so.2", "/opt/nccl/lib/libnccl.so.2.21.5")
	root["usr/local/cuda/compat/libcuda.so.1"] = file("not a library\n")
	link(root, "usr/lib64/librccl.so.1", "gone.so") // leads nowhere
	root["usr/bin/orterun"] = &fstest.MapFile{Mode: 0o755}
	link(root, "usr/bin/mpirun", "/etc/alternatives/mpirun")
	link(root, "etc/alternatives/mpirun", "/usr/bin/orterun")
	root["home/site/mpich/bin/mpiexec"] = &fstest.MapFile{Mode: 0o755}
	root["usr/bin/mpiexec"] = &fstest.MapFile{Mode: 0o755}

	got := readLibraries(root, nil)
	want := []Library{
		{Name: "libmpi", Kind: "Open MPI", Version: "5.0.3", File: "/usr/lib/x86_64-linux-gnu/libmpi.so.40"},
		{Name: "libnccl", Kind: "NCCL", Version: "2.21.5", File: "/usr/lib/x86_64-linux-gnu/libnccl.so.2"},
		{Name: "librccl", Kind: "RCCL", File: "/usr/lib64/librccl.so.1", Fault: "it cannot be read"},
		{Name: "libcuda", Kind: "CUDA", File: "/usr/local/cuda/compat/libcuda.so.1", Fault: "it is no ELF file"},
		{Name: "libhccl"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("libraries (-want +got):\n%s", diff)
	}
	first := readLibraries(root, []string{"home/site/mpich/lib"})[0]
	if diff := cmp.Diff(Library{Name: "libmpi", Kind: "MPICH", Version: "4.2.1", File: "/home/site/mpich/lib/libmpi.so.12"}, first); diff != "" {
		t.Errorf("libmpi with a folder of one's own (-want +got):\n%s", diff)
	}
	launchers := []Launcher{
		{Name: "mpirun", File: "/usr/bin/mpirun", Kind: "Open MPI"},
		{Name: "mpiexec", File: "/home/site/mpich/bin/mpiexec", Kind: "MPICH"},
	}
	if diff := cmp.Diff(launchers, readLaunchers(root, []string{"home/site/mpich/bin", "usr/bin"})); diff != "" {
		t.Errorf("launchers (-want +got):\n%s", diff)
	}
}

func TestPlainLibraryIsNoMPI(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the libraries in testdata are for amd64")
	}
	root := fstest.MapFS{}
	library(t, root, "usr/lib/libmpi.so.40", "plain.so")
	got := readLibraries(root, nil)[0]
	if got.Kind != "" || got.Fault != "it exports no symbol by which an MPI could be told" {
		t.Errorf("got %+v", got)
	}
}
