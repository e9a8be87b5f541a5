package present

import (
	"fmt"
	"net/url"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/web/account"
)

// galleryMachine makes a machine of NUMA nodes with GPUs and ports shared out
// evenly.
func galleryMachine(host string, domains, gpus, ports int) inventory.Node {
	n := inventory.Node{
		Host: host, OS: "linux", Arch: "amd64", Kernel: "6.8.0-45-generic", CPU: "Intel(R) Xeon(R) Platinum 8480C",
		CPUs: 56 * domains, Memory: unit.Bytes(domains) * unit.TiB, GPUsWhy: inventory.NoDriver,
		Libraries: []inventory.Library{
			{Name: "libmpi", Kind: "Open MPI", Version: "4.1.4", File: "/usr/lib/x86_64-linux-gnu/libmpi.so.40"},
			{Name: "libnccl"},
			{Name: "libcuda", Kind: "CUDA", File: "/usr/lib64/libcuda.so.1", Fault: "it is for EM_AARCH64"},
		},
		Launchers: []inventory.Launcher{{Name: "mpirun", File: "/usr/bin/mpirun", Kind: "Open MPI"}},
	}
	for i := range domains {
		n.Domains = append(n.Domains, inventory.Domain{Number: i, Socket: i, List: fmt.Sprintf("%d-%d", 56*i, 56*i+55), CPUs: 56, Memory: unit.TiB})
	}
	for g := range gpus {
		at := g * domains / gpus
		n.GPUs = append(n.GPUs, inventory.GPU{Name: "NVIDIA H100 80GB HBM3", ID: fmt.Sprintf("a1b2c3%02x", g), Memory: 80 * unit.GiB,
			Bus: fmt.Sprintf("0000:%02x:00.0", 16+16*g%240), NUMA: &at})
	}
	if gpus > 0 {
		n.GPUsWhy, n.GPUDriver, n.CUDA = "", "550.90.07", "12.4"
	}
	for p := range ports {
		at := p * domains / ports
		port := inventory.NIC{Name: fmt.Sprintf("mlx5_%d", p), Kind: inventory.InfiniBand, Up: p != 5, Driver: "mlx5_core", NUMA: &at}
		if port.Up {
			port.Rate = 50e9
		}
		if p < gpus {
			port.Near = []int{p}
		}
		n.NICs = append(n.NICs, port)
	}
	return n
}

// nvlink joins GPUs of a machine over NVLink, in groups of so many.
func nvlink(n inventory.Node, group, links int) inventory.Node {
	const lane = 26.562e9
	for a := range n.GPUs {
		n.GPUs[a].NVLinks, n.GPUs[a].Lane = links, lane
		for b := a + 1; b < len(n.GPUs); b++ {
			link := inventory.GPULink{A: a, B: b, Path: inventory.SYS}
			if a/group == b/group {
				link.NVLinks, link.Rate = links, unit.Rate(links)*lane
			}
			n.GPULinks = append(n.GPULinks, link)
		}
	}
	return n
}

// galleryCluster is a cluster with a node in each standing.
func galleryCluster(version string) Cluster {
	at := galleryMoment()
	vm := galleryMachine("vm", 1, 0, 0)
	vm.NICs = []inventory.NIC{{Name: "eth0", Kind: inventory.Ethernet, Up: true, Driver: "virtio_net"}}
	member := func(name string, standing inventory.Standing, n inventory.Node) inventory.Member {
		n.Host = name
		return inventory.Member{
			Name: name, Standing: standing, Address: "192.0.2.11:51234", Build: version, Joined: at, Seen: at,
			Admission: inventory.Admission{Serial: "3f9a22c107", Expires: at.Add(24 * time.Hour)}, Node: n,
		}
	}
	alpha := member("alpha", inventory.Ready, nvlink(galleryMachine("alpha", 2, 8, 8), 8, 18))
	alpha.Limits = inventory.Limits{Ranks: 8, Bytes: 4 * unit.GiB, Seconds: 600}
	beta := member("beta", inventory.Draining, vm)
	beta.Build = "v0.0.1"
	link := func(from, to string, micros, gbits float64) inventory.Link {
		return inventory.Link{From: from, To: to, Latency: unit.Seconds(micros / 1e6), Rate: unit.Rate(gbits * 1e9 / 8), Time: at}
	}
	slow := link("gamma", "alpha", 412, 0.94)
	slow.Slow = true
	return Cluster{
		Machine: vm, LocalRanks: 4, Listening: true, Now: at, Probing: &inventory.Probing{Began: at, Done: 3, Of: 6},
		Members: []inventory.Member{alpha, beta, member("delta", inventory.Revoked, vm), member("gamma", inventory.Offline, vm)},
		Links: []inventory.Link{
			link("alpha", "beta", 28.4, 97.2), link("beta", "alpha", 28.4, 96.8), link("alpha", "gamma", 31, 93), slow,
			{From: "beta", To: "gamma", Fault: "dial tcp 192.0.2.13:7100: connect: no route to host", Time: at,
				Cause: inventory.Unreachable, Values: map[string]string{"node": "beta", "address": "192.0.2.13:7100", "error": "connect: no route to host"}},
		},
	}
}

// galleryNodes fills in what the page of the nodes is made of.
func galleryNodes(f Frame, g *views.Gallery) {
	f.Actor.Role = account.Admin
	c := galleryCluster(f.Version)
	g.Nodes = Nodes(f, c)
	asked := ReadRunRequest(url.Values{"where": {onNodes}, "n": {"4"}, "size": {"64MiB"}})
	_, wrong := asked.Spec(c.LocalRanks)
	form := NewRun(f, RunDraft{Request: asked, Wrong: wrong, LocalRanks: c.LocalRanks, Nodes: c.Members})
	g.RunWhere, g.RunPerNode = form.Where, form.PerNode
	c.Members, c.Links, c.Probing = nil, nil, nil
	g.NodesAlone = Nodes(f, c)
	g.NodeInvite = Invite(f, inventory.Invitation{Address: "192.0.2.7:8444", Token: "join_example", Expires: galleryMoment().Add(time.Hour)})
	for _, m := range []inventory.Node{
		{Host: "laptop", OS: "darwin", CPUs: 8, Memory: 16 * unit.GiB, NICs: []inventory.NIC{{Name: "en0", Up: true}}},
		c.Machine,
		nvlink(galleryMachine("pairs", 1, 4, 1), 2, 4),
		nvlink(galleryMachine("eight", 2, 8, 8), 8, 18),
		galleryMachine("pcie", 4, 8, 4),
		nvlink(galleryMachine("sixteen", 8, 16, 10), 16, 6),
	} {
		picture := topology(f.Locale, m.Host, m)
		g.Machines = append(g.Machines, views.GalleryPicture{Name: m.Host, SVG: picture.SVG()})
		picture.Narrow = true
		g.MachinePhones = append(g.MachinePhones, views.GalleryPicture{Name: m.Host, SVG: picture.SVG()})
	}
}
