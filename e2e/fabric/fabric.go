package fabric

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
)

// ErrNotHere says that this machine, or whoever asks, cannot make hosts.
var ErrNotHere = errors.New("hosts cannot be made here")

// Config is what hosts to make.
type Config struct {
	Hosts int // 1 to 64
	// Mbits is the rate of every host's link, each way, in Mb/s as Ethernet
	// counts them; 0 for as fast as the machine goes.
	Mbits int
}

// Fabric is hosts and the switch between them. Its methods are for one
// goroutine.
type Fabric struct {
	name  string
	hosts int
}

// made tells the fabrics of one process apart.
var made atomic.Int32

// New makes hosts. Close them. The error is ErrNotHere where that cannot be
// done at all.
func New(cfg Config) (*Fabric, error) {
	if cfg.Hosts < 1 || cfg.Hosts > 64 || cfg.Mbits < 0 {
		return nil, fmt.Errorf("make %d hosts with %d Mb/s: accepted are 1 to 64 hosts, and 0 or more Mb/s", cfg.Hosts, cfg.Mbits)
	}
	if os.Geteuid() != 0 {
		return nil, fmt.Errorf("%w: it takes root", ErrNotHere)
	}
	for _, tool := range []string{"ip", "tc"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%w: %s is missing (Debian: iproute2)", ErrNotHere, tool)
		}
	}
	f := &Fabric{name: fmt.Sprintf("lk%d-%d-", os.Getpid(), made.Add(1)), hosts: cfg.Hosts}
	if err := run("ip", "netns", "add", f.middle()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	if err := f.wire(cfg.Mbits); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// wire makes the switch, the hosts, and a link from each to it.
func (f *Fabric) wire(mbits int) error {
	commands := []string{
		"ip -n {switch} link add bridge type bridge",
		"ip -n {switch} link set bridge up",
	}
	for i := range f.hosts {
		here := strings.NewReplacer("{host}", f.namespace(i), "{port}", port(i), "{address}", Addr(i))
		commands = append(commands,
			here.Replace("ip netns add {host}"),
			here.Replace("ip -n {switch} link add {port} type veth peer name eth0 netns {host}"),
			here.Replace("ip -n {switch} link set {port} master bridge up"),
			here.Replace("ip -n {host} address add {address}/16 dev eth0"),
			here.Replace("ip -n {host} link set eth0 up"),
			here.Replace("ip -n {host} link set lo up"),
			// The one control that every namespace may take: a host may stand on BBR, which models the path from what
			// was sent, and runs that pause between rounds teach them little.
			here.Replace("ip netns exec {host} sysctl -qw net.ipv4.tcp_congestion_control=reno"),
		)
		if mbits == 0 {
			continue
		}
		// A token bucket on either end of the link. Its depth is a millisecond
		// of the rate, and more than the largest packet that the kernel hands
		// down: a bucket that is smaller cuts such packets up, one by one, which
		// takes the processors long before the link is full.
		commands = append(commands,
			here.Replace("ip -n {switch} link set dev {port} gso_max_size 60000"),
			here.Replace("ip -n {host} link set dev eth0 gso_max_size 60000"),
		)
		// The queue before it takes all that a run has in flight to one host:
		// where several send to one, a short queue drops what it cannot hold,
		// and the time is then that of retransmissions, which is neither what
		// a lossless fabric does nor what the model prices.
		limit := fmt.Sprintf("root tbf rate %dmbit burst %d limit %d", mbits, max(64<<10, mbits*1000/8), 32<<20)
		commands = append(commands,
			here.Replace("tc -n {switch} qdisc add dev {port} "+limit),
			here.Replace("tc -n {host} qdisc add dev eth0 "+limit),
		)
	}
	for _, command := range commands {
		if err := run(strings.Fields(strings.ReplaceAll(command, "{switch}", f.middle()))...); err != nil {
			return err
		}
	}
	return nil
}

// address is Addr in bytes.
func address(host int) [4]byte { return [4]byte{10, 77, 0, byte(host + 1)} }

// Addr returns the address of a host, counted from 0.
func Addr(host int) string { return fmt.Sprintf("10.77.0.%d", host+1) }

// Command is exec.Command on a host. The process is the program itself, so
// that ending it ends the program.
func (f *Fabric) Command(host int, program string, args ...string) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", f.namespace(host), program}, args...)...)
}

// Cut takes a host off the switch: what is sent to it or by it is lost without
// an answer.
func (f *Fabric) Cut(host int) error {
	return run("ip", "-n", f.middle(), "link", "set", port(host), "down")
}

// Mend puts it back.
func (f *Fabric) Mend(host int) error {
	return run("ip", "-n", f.middle(), "link", "set", port(host), "up")
}

// Close takes the hosts away. Programs that still run on them lose their
// network, and keep running.
func (f *Fabric) Close() error {
	errs := []error{run("ip", "netns", "del", f.middle())}
	for i := range f.hosts {
		if _, err := os.Stat("/var/run/netns/" + f.namespace(i)); err == nil {
			errs = append(errs, run("ip", "netns", "del", f.namespace(i)))
		}
	}
	return errors.Join(errs...)
}

func (f *Fabric) middle() string            { return f.name + "s" }
func (f *Fabric) namespace(host int) string { return fmt.Sprintf("%sh%d", f.name, host) }

func port(host int) string { return fmt.Sprintf("port%d", host) }

func run(command ...string) error {
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
