package diagnose

import "strings"

// maker is whose tools look at a system.
type maker string

const (
	nvidia maker = "nvidia"
	amd    maker = "amd"
	huawei maker = "huawei"
)

// makerOf tells it from the family of hardware.System; most are NVIDIA's.
func makerOf(family string) maker {
	switch {
	case strings.HasPrefix(family, "MI"):
		return amd
	case family == "Ascend":
		return huawei
	}
	return nvidia
}

// sweep is the call that shows the most.
const sweep = "NCCL_DEBUG=INFO mpirun -np 16 --map-by ppr:8:node ./build/all_reduce_perf -b 8 -e 8G -f 2 -g 1"

// looks are commands and settings to look with, by form (code, or code and why)
// and maker. A form without any is one that words alone help with.
var looks = map[string]map[maker][]string{
	"rank-count":    {nvidia: {"mpirun -np 2 ./build/all_reduce_perf -b 1M -e 1M -g 1", "ldd ./build/all_reduce_perf | grep -i mpi"}},
	"wrong-results": {nvidia: {"nvidia-smi -q -d ECC,ROW_REMAPPER", "dmesg | grep -i xid"}, amd: {"rocm-smi --showrasinfo", "dmesg | grep -i amdgpu"}, huawei: {"npu-smi info -t ecc -i 0"}},
	"ranks-unknown": {nvidia: {"mpirun -np 16 …"}},
	"small-only":    {nvidia: {"./build/all_reduce_perf -b 8 -e 8G -f 2 -g 1"}, huawei: {"./bin/all_reduce_test -b 8 -e 1G -f 2 -p 8"}},
	"slow.peers":    {nvidia: {"nvidia-smi topo -p2p r", "nvidia-smi topo -m", "sudo lspci -vvv | grep -E 'LnkSta:|ACSCtl:'"}, amd: {"rocm-smi --showtopo"}},
	"slow.links": {
		nvidia: {"nvidia-smi nvlink -s", "systemctl status nvidia-fabricmanager", "nvidia-smi -q -d PERFORMANCE"},
		amd:    {"rocm-smi --showtopo", "rocm-smi --showxgmierr"},
		huawei: {"npu-smi info -t topo", "npu-smi info -t hccs -i 0"},
	},
	"slow.rails": {
		nvidia: {"NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET", "ibstat", "env | grep NCCL_IB_HCA"},
		amd:    {"NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET", "ibstat"},
		huawei: {"hccn_tool -i 0 -link -g"},
	},
	"slow.direct": {
		nvidia: {"lsmod | grep nvidia_peermem", "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET", "sudo lspci -vvv | grep ACSCtl:", "ib_write_bw -d mlx5_0 --use_cuda=0 --report_gbits"},
		amd:    {"NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET", "sudo lspci -vvv | grep ACSCtl:", "ib_write_bw -d mlx5_0 --use_rocm=0 --report_gbits"},
		huawei: {"hccn_tool -i 0 -link -g", "hccn_tool -i 0 -stat -g"},
	},
	"slow.network": {
		nvidia: {"nvidia-smi topo -m", "ibstat", "ethtool -S eth0 | grep -E 'pause|discard|ecn'", "ib_write_bw -d mlx5_0 --report_gbits"},
		amd:    {"rocm-smi --showtoponuma", "ibstat", "ethtool -S eth0 | grep -E 'pause|discard|ecn'"},
		huawei: {"hccn_tool -i 0 -link -g", "hccn_tool -i 0 -stat -g"},
	},
	"slow.sockets":             {nvidia: {"env | grep -E '^(NCCL|RCCL)_'", "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET"}},
	"impossible.ratio":         {nvidia: {"./build/all_reduce_perf -b 1G -e 1G -g 8"}},
	"impossible.rate":          {nvidia: {"mpirun -np 2 ./build/all_reduce_perf -b 1M -e 1M -g 1", "nvidia-smi topo -m", "ibstat"}, amd: {"rocm-smi --showtopo", "ibstat"}, huawei: {"npu-smi info -t topo"}},
	"too-fast":                 {nvidia: {"nvidia-smi topo -m", "ibstat"}, amd: {"rocm-smi --showtopo", "ibstat"}, huawei: {"npu-smi info -t topo"}},
	"numa.affinity":            {nvidia: {"unset NCCL_IGNORE_CPU_AFFINITY", "nvidia-smi topo -m"}, amd: {"unset NCCL_IGNORE_CPU_AFFINITY", "rocm-smi --showtoponuma"}},
	"numa.processors":          {nvidia: {"nvidia-smi topo -m", "numactl --hardware", "mpirun --report-bindings --map-by ppr:8:node --bind-to numa"}, amd: {"rocm-smi --showtoponuma", "numactl --hardware"}},
	"numa.bridges":             {nvidia: {"nvidia-smi topo -m"}, amd: {"rocm-smi --showtoponuma"}},
	"small-mtu.rdma":           {nvidia: {"ibv_devinfo | grep -E 'hca_id|mtu'", "ip -br link", "ping -M do -s 8972 10.0.0.2"}},
	"small-mtu.interface":      {nvidia: {"ip link show eth0", "ping -M do -s 8972 10.0.0.2"}},
	"socket-fallback.disabled": {nvidia: {"unset NCCL_IB_DISABLE"}},
	"socket-fallback.asked":    {nvidia: {"unset NCCL_NET"}},
	"socket-fallback.none":     {nvidia: {"ls /dev/infiniband", "ibv_devices", "ldconfig -p | grep nccl-net"}},
	"socket-fallback.socket":   {nvidia: {"env | grep -E '^(NCCL|RCCL)_'", "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET", "ls /dev/infiniband", "ldconfig -p | grep nccl-net"}},
	"gdr-level-forced.off":     {nvidia: {"unset NCCL_NET_GDR_LEVEL", "nvidia-smi topo -m"}, amd: {"unset NCCL_NET_GDR_LEVEL", "rocm-smi --showtopo"}},
	"gdr-level-forced.level":   {nvidia: {"unset NCCL_NET_GDR_LEVEL", "nvidia-smi topo -m"}, amd: {"unset NCCL_NET_GDR_LEVEL", "rocm-smi --showtopo"}},
	"gdr-off.channels":         {nvidia: {"lsmod | grep nvidia_peermem", "sudo modprobe nvidia-peermem", "nvidia-smi topo -m"}, amd: {"rocm-smi --showtopo"}},
	"gdr-off.said":             {nvidia: {"lsmod | grep nvidia_peermem", "sudo modprobe nvidia-peermem"}},
	"few-nics":                 {nvidia: {"ibv_devices", "env | grep NCCL_IB_HCA"}},
	"one-rail":                 {nvidia: {"ibv_devices", "env | grep NCCL_IB_HCA"}},
	"nic-list.devices":         {nvidia: {"ibdev2netdev", "nvidia-smi topo -m"}, amd: {"ibdev2netdev", "rocm-smi --showtopo"}},
	"nic-list.interface":       {nvidia: {"ip -br link", "ethtool eth0 | grep Speed"}},
	"no-p2p.disabled":          {nvidia: {"unset NCCL_P2P_DISABLE"}},
	"no-p2p.shared":            {nvidia: {"nvidia-smi topo -p2p r", "sudo lspci -vvv | grep ACSCtl:"}, amd: {"rocm-smi --showtopo"}},
	"flat-topology.ring":       {nvidia: {"unset NCCL_ALGO"}},
	"flat-topology.nvls":       {nvidia: {"unset NCCL_NVLS_ENABLE"}},
	"forced-setting.topology":  {nvidia: {"NCCL_TOPO_DUMP_FILE=topo.xml"}},
	"cliff.slower":             {nvidia: {"NCCL_PROTO=Simple", "nvidia-smi topo -m"}, amd: {"NCCL_PROTO=Simple", "rocm-smi --showtopo"}},
	"cliff.jump":               {nvidia: {sweep, "ethtool -S eth0 | grep -E 'pause|discard|ecn'"}},
	"falls-off":                {nvidia: {"nvidia-smi -q -d PERFORMANCE,TEMPERATURE"}, amd: {"rocm-smi --showtemp --showpower"}, huawei: {"npu-smi info"}},
	"cold-rows":                {nvidia: {"./build/all_reduce_perf -w 20 -n 100 -b 8 -e 8G -f 2"}},
}

// commands are what to look with on systems of a family. What only NVIDIA's
// list has is of the library or the host and serves all.
func commands(c Code, why, family string) []string {
	key := string(c)
	if why != "" {
		key += "." + why
	}
	by := looks[key]
	if own, has := by[makerOf(family)]; has {
		return own
	}
	if makerOf(family) == huawei { // whose library is another
		return nil
	}
	return by[nvidia]
}
