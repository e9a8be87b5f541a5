package diagnose

// Code names what a finding is about.
type Code string

// The codes.
const (
	CollectiveUnknown Code = "collective-unknown"
	RanksUnknown      Code = "ranks-unknown"
	SystemUnknown     Code = "system-unknown"
	RankCount         Code = "rank-count"
	WrongResults      Code = "wrong-results"
	SmallOnly         Code = "small-only"
	AsExpected        Code = "as-expected"
	Slow              Code = "slow"
	SocketFallback    Code = "socket-fallback"
	LevelForced       Code = "gdr-level-forced"
	DirectOff         Code = "gdr-off"
	FewNICs           Code = "few-nics"
	OneRail           Code = "one-rail"
	NICList           Code = "nic-list"
	NoPeers           Code = "no-p2p"
	ForcedSetting     Code = "forced-setting"
	FlatTopology      Code = "flat-topology"
	Cliff             Code = "cliff"
	FallsOff          Code = "falls-off"
	ColdRows          Code = "cold-rows"
	InPlaceDiffers    Code = "in-place"
	AverageMisread    Code = "average-misread"
	AboveTheWire      Code = "above-the-wire"
	LibraryWarns      Code = "library-warns"
	Impossible        Code = "impossible"
	TooFast           Code = "too-fast"
	NUMA              Code = "numa"
	SmallMTU          Code = "small-mtu"
)

// Form is one way of saying a finding: what a message in any language may
// build on. Why tells apart the cases of a code, empty where it has one.
type Form struct {
	Code   Code
	Why    string
	Values []string // keys of Finding.Values beside why, all of them present
}

// Forms lists every form that a finding may have.
func Forms() []Form {
	measured := []string{"line", "bus", "size", "expected", "share"}
	setting := []string{"line", "setting"}
	step := []string{"small", "large", "small_time", "large_time", "small_line", "large_line"}
	return []Form{
		{CollectiveUnknown, "", nil},
		{RanksUnknown, "", nil},
		{SystemUnknown, "", nil},
		{RankCount, "", []string{"listed", "implied", "ratio", "listed_ratio"}},
		{WrongResults, "", []string{"line", "size", "wrong"}},
		{SmallOnly, "", []string{"size"}},
		{AsExpected, "", measured},
		{Slow, "peers", measured},
		{Slow, "links", measured},
		{Slow, "rails", append([]string{"rails"}, measured...)},
		{Slow, "direct", measured},
		{Slow, "network", measured},
		{Slow, "sockets", measured},
		{Impossible, "ratio", []string{"line", "ratio", "low", "high", "alg", "bus"}},
		{Impossible, "time", []string{"line", "factor"}},
		{Impossible, "rate", []string{"line", "size", "bus", "bound"}},
		{TooFast, "", measured},
		{NUMA, "affinity", setting},
		{NUMA, "processors", []string{"line", "accelerator", "way", "far", "all"}},
		{NUMA, "bridges", []string{"line", "accelerator", "way", "far", "all"}},
		{SmallMTU, "rdma", []string{"line", "mtu"}},
		{SmallMTU, "interface", []string{"line", "mtu", "name"}},
		{SocketFallback, "disabled", setting},
		{SocketFallback, "asked", setting},
		{SocketFallback, "none", []string{"line", "text"}},
		{SocketFallback, "socket", nil},
		{LevelForced, "off", setting},
		{LevelForced, "level", setting},
		{DirectOff, "channels", nil},
		{DirectOff, "said", []string{"line", "text"}},
		{FewNICs, "", []string{"nics", "gpus", "names"}},
		{OneRail, "", []string{"gpus", "names"}},
		{NICList, "devices", setting},
		{NICList, "interface", setting},
		{NoPeers, "disabled", setting},
		{NoPeers, "shared", nil},
		{ForcedSetting, "", append([]string{"name"}, setting...)},
		{ForcedSetting, "topology", append([]string{"name"}, setting...)},
		{FlatTopology, "ring", setting},
		{FlatTopology, "nvls", setting},
		{Cliff, "slower", step},
		{Cliff, "jump", append([]string{"times"}, step...)},
		{FallsOff, "", []string{"peak", "last", "peak_line", "last_line", "peak_size", "last_size"}},
		{ColdRows, "", []string{"rows", "lines", "time", "size"}},
		{InPlaceDiffers, "", []string{"times", "line", "out_time", "in_time", "size"}},
		{AverageMisread, "", []string{"average", "peak", "line", "size"}},
		{AboveTheWire, "", []string{"bus", "nic"}},
		{LibraryWarns, "", []string{"line", "text"}},
	}
}
