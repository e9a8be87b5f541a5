package local

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"lockstep/cluster/conduct"
	"lockstep/cluster/worker"
	"lockstep/engine/link"
)

// mpiHost is this machine as a host of ranks that mpirun starts. They attach to
// the console by a socket: mpirun has one standard input for all of them.
type mpiHost struct {
	cfg      Config
	plan     *conduct.Plan
	launcher launcher
	env      []string
	folder   runFolder // holds the socket, and what the launcher keeps while it runs
	listener *net.UnixListener
	key      link.Key

	cmd    *exec.Cmd     // nil before the first Launch
	said   tail          // by the launcher and by ranks
	ended  chan struct{} // the launcher has
	beside sync.WaitGroup
	ranks  []*mpiProcess
}

// openMPI makes room for a run whose ranks mpirun starts.
func (f *Fleet) openMPI(ctx context.Context, plan *conduct.Plan) (*mpiHost, error) {
	h := &mpiHost{cfg: f.cfg, plan: plan, env: launcherEnvironment(f.cfg.Env, os.Environ()), key: link.NewKey(), ended: make(chan struct{})}
	var err error
	if h.launcher, err = findLauncher(ctx, h.env); err != nil {
		return nil, err
	}
	if err := h.launcher.refuses(h.env); err != nil {
		return nil, err
	}
	if h.folder, err = newRunFolder(); err != nil {
		return nil, err
	}
	if h.listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(h.folder.path, "console"), Net: "unix"}); err != nil {
		return nil, errors.Join(err, h.folder.remove())
	}
	for i := range plan.Spec.Ranks {
		h.ranks = append(h.ranks, &mpiProcess{host: h, rank: i, attached: make(chan struct{})})
	}
	h.beside.Go(h.accept)
	return h, nil
}

// Name is "": this machine.
func (h *mpiHost) Name() string { return "" }

// Silent is 0: this machine is always heard.
func (h *mpiHost) Silent(time.Time) time.Duration { return 0 }

// Lost waits for ctx to end.
func (h *mpiHost) Lost(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Launch starts all ranks with the first, and gives one of them.
func (h *mpiHost) Launch(rank int) (conduct.Process, error) {
	if h.cmd == nil {
		if err := h.start(); err != nil {
			return nil, err
		}
	}
	p := h.ranks[rank]
	p.job = h.plan.Job(rank, worker.Place{Crowded: h.plan.Spec.Ranks > runtime.NumCPU()})
	return p, nil
}

func (h *mpiHost) start() error {
	l := h.launcher
	h.cmd = exec.Command(l.program, l.arguments(h.plan.Spec.Ranks, runtime.NumCPU(), h.cfg.Executable, h.cfg.Args)...)
	h.cmd.Env = append(h.env[:len(h.env):len(h.env)],
		"TMPDIR="+h.folder.path, // what it leaves behind goes with the run
		worker.LauncherEnv+"="+l.program, worker.AttachEnv+"="+h.listener.Addr().String(), worker.AttachKeyEnv+"="+hex.EncodeToString(h.key[:]))
	h.cmd.Stdout, h.cmd.Stderr = &h.said, &h.said
	h.cmd.SysProcAttr = attributes()
	h.cmd.WaitDelay = time.Second
	if err := h.cmd.Start(); err != nil {
		close(h.ended)
		return fmt.Errorf("start %s: %w", l.program, err)
	}
	h.beside.Go(func() {
		_ = h.cmd.Wait() // ProcessState says more
		close(h.ended)
	})
	return nil
}

// accept takes in the ranks as they attach, until the listener is closed.
func (h *mpiHost) accept() {
	for {
		conn, err := h.listener.AcceptUnix()
		if err != nil {
			return
		}
		h.beside.Go(func() {
			if err := h.admit(conn); err != nil {
				_ = conn.Close()
			}
		})
	}
}

// admit takes in a rank: a process of this user that knows the key.
func (h *mpiHost) admit(conn *net.UnixConn) error {
	if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	rank, err := worker.ReadPreface(conn, h.key)
	if err != nil {
		return err
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	if rank < 0 || rank >= len(h.ranks) {
		return fmt.Errorf("rank %d of %d", rank, len(h.ranks))
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	var asked error
	if err := raw.Control(func(fd uintptr) { peer, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil || asked != nil {
		return errors.Join(err, asked)
	}
	if int(peer.Uid) != os.Geteuid() {
		return fmt.Errorf("a process of user %d", peer.Uid)
	}
	fd, err := unix.PidfdOpen(int(peer.Pid), 0)
	if err != nil {
		return err
	}
	return h.ranks[rank].attach(conn, int(peer.Pid), fd)
}

// Close ends whatever is left, and returns when nothing is.
func (h *mpiHost) Close() error {
	err := h.listener.Close()
	if h.cmd != nil && h.cmd.Process != nil {
		// A launcher that sees its ranks end clears up after them.
		for _, s := range []syscall.Signal{0, syscall.SIGTERM, syscall.SIGKILL} {
			if s != 0 {
				_ = syscall.Kill(-h.cmd.Process.Pid, s)
			}
			select {
			case <-h.ended:
			case <-time.After(2 * time.Second):
				continue
			}
			break
		}
		<-h.ended
	}
	for _, p := range h.ranks {
		p.Kill()
		_ = p.Close()
	}
	h.beside.Wait()
	return errors.Join(err, h.folder.remove())
}

// mpiProcess is a rank that mpirun has started, from when it has attached.
type mpiProcess struct {
	host     *mpiHost
	rank     int
	job      worker.Job
	attached chan struct{} // closed when what follows is there

	mu     sync.Mutex
	conn   *net.UnixConn
	pid    int
	fd     int // of the process: its number may be another's one day
	closed bool
}

func (p *mpiProcess) attach(conn *net.UnixConn, pid, fd int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil || p.closed {
		return errors.Join(errors.New("it has attached before, or its run is over"), unix.Close(fd))
	}
	p.conn, p.pid, p.fd = conn, pid, fd
	close(p.attached)
	return nil
}

// here waits for the rank to attach, and reports whether it has.
func (p *mpiProcess) here() bool {
	select {
	case <-p.attached:
		return true
	default:
	}
	select {
	case <-p.attached:
		return true
	case <-p.host.ended:
		return false
	}
}

func (p *mpiProcess) Read(b []byte) (int, error) {
	if !p.here() {
		return 0, io.EOF
	}
	return p.conn.Read(b)
}

func (p *mpiProcess) Write(b []byte) (int, error) {
	if !p.here() {
		return 0, io.ErrClosedPipe
	}
	return p.conn.Write(b)
}

// Close closes the connection; a rank that is not told to quit then ends.
func (p *mpiProcess) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.conn == nil {
		p.closed = true
		return nil
	}
	p.closed = true
	return errors.Join(p.conn.Close(), unix.Close(p.fd))
}

// Begin hands the worker its job.
func (p *mpiProcess) Begin(w *worker.Rank) error { return w.Begin(p.job) }

// Wait returns how the process ended. It is not our child, so its status is the
// launcher's to know.
func (p *mpiProcess) Wait() string {
	if !p.here() {
		how := "mpirun: " + p.host.cmd.ProcessState.String()
		if line := p.host.said.opening(); line != "" {
			how += "; " + line
		}
		return how
	}
	p.mu.Lock()
	fd, err := unix.Dup(p.fd)
	p.mu.Unlock()
	if err != nil {
		return "ended"
	}
	defer unix.Close(fd)
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1)
		if n > 0 || err != nil && err != unix.EINTR {
			break
		}
	}
	if line := p.host.said.line(); line != "" {
		return "ended; " + line
	}
	return "ended"
}

// Kill ends the process for certain; a stopped one too. One that has not
// attached ends with the launcher.
func (p *mpiProcess) Kill() {
	select {
	case <-p.attached:
		_ = p.signal(unix.SIGKILL) // one that has ended needs none
	case <-p.host.ended:
	default:
		if p.host.cmd != nil && p.host.cmd.Process != nil {
			_ = syscall.Kill(-p.host.cmd.Process.Pid, syscall.SIGTERM)
		}
	}
}

// Freeze stops the process where it is; Resume lets it go on.
func (p *mpiProcess) Freeze() error { return p.signal(unix.SIGSTOP) }
func (p *mpiProcess) Resume() error { return p.signal(unix.SIGCONT) }

func (p *mpiProcess) signal(s unix.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil || p.closed {
		return os.ErrProcessDone
	}
	return unix.PidfdSendSignal(p.fd, s, nil, 0)
}

// State reads the state of the process, as proc_pid_stat(5) gives it.
func (p *mpiProcess) State() conduct.State {
	p.mu.Lock()
	pid := p.pid
	p.mu.Unlock()
	return stateOf(pid)
}
