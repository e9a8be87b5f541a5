package agent

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// Probe is this machine's end of measurements between two nodes: it listens
// where runs would.
type Probe struct {
	Bind        netip.Addr // the zero Addr for the address of the way to the console
	First, Last int        // ports; 0 for any
}

// maxCallers is how many connections that have proved nothing yet are looked
// at at once.
const maxCallers = 8

// Serve carries out one order of the console, and gives it up as soon as the
// console does.
func (p Probe) Serve(ctx context.Context, conn net.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, wire.ProbePatience)
	defer cancel()
	order, err := wire.ReadProbeOrder(conn)
	if err != nil {
		return err
	}
	stop := whileOpen(conn, cancel)
	defer stop()
	var report wire.ProbeReport
	if order.Dial != "" {
		report, err = dialProbe(ctx, order)
	} else {
		err = p.listen(ctx, conn, order)
	}
	if err != nil {
		report = wire.FaultReport(err)
	}
	return wire.WriteProbeReport(conn, report)
}

// whileOpen calls ended when the console, which has said all it has to say,
// ends the stream. stop waits for the goroutine that looks.
func whileOpen(conn net.Conn, ended func()) (stop func()) {
	var looking sync.WaitGroup
	looking.Go(func() {
		_, _ = conn.Read(make([]byte, 1))
		ended()
	})
	return func() {
		_ = conn.SetReadDeadline(time.Now())
		looking.Wait()
	}
}

// listen lets the other node in, and measures with it.
func (p Probe) listen(ctx context.Context, console net.Conn, order wire.ProbeOrder) error {
	listener, err := p.open(ctx, console.LocalAddr())
	if err != nil {
		return err
	}
	defer listener.Close()
	if err := wire.WriteProbeReport(console, wire.ProbeReport{Listening: listener.Addr().String()}); err != nil {
		return err
	}
	peer, err := expect(ctx, listener, order.Key)
	if err != nil {
		return err
	}
	defer peer.Close()
	_ = listener.Close() // nobody else is expected
	stop := context.AfterFunc(ctx, func() { _ = peer.SetDeadline(time.Now()) })
	defer stop()
	if err := answerProbe(peer, order); err != nil {
		return inventory.NewReason(inventory.BrokenOff, err.Error(), "error", err.Error())
	}
	return nil
}

// open listens on the data address, in the range of ports.
func (p Probe) open(ctx context.Context, control net.Addr) (net.Listener, error) {
	bind := p.Bind
	if !bind.IsValid() {
		at, err := netip.ParseAddrPort(control.String())
		if err != nil {
			return nil, fmt.Errorf("find the address to listen on: %w", err)
		}
		bind = at.Addr()
	}
	var last error
	for port := p.First; port <= max(p.First, p.Last); port++ {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(bind.String(), strconv.Itoa(port)))
		if err == nil {
			return listener, nil
		}
		last = err
	}
	return nil, inventory.NewReason(inventory.NoListener, fmt.Sprintf("listen for the other node: %v", last), "error", last.Error())
}

// expect waits for the node that holds the key. Others cost a bounded
// handshake each, and none of them keeps it waiting.
func expect(ctx context.Context, listener net.Listener, key wire.ProbeKey) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	proved := make(chan net.Conn, 1)
	places := make(chan struct{}, maxCallers)
	var callers sync.WaitGroup
	accepting := make(chan error, 1)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				accepting <- err
				return
			}
			select {
			case places <- struct{}{}:
			default:
				_ = conn.Close()
				continue
			}
			callers.Go(func() {
				defer func() { <-places }()
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				err := proveAccepting(conn, key)
				if !stop() || err != nil { // the node has come, or this is not it
					_ = conn.Close()
					return
				}
				select {
				case proved <- conn:
				default: // a second one with the key: there is no such node
					_ = conn.Close()
				}
			})
		}
	}()
	var peer net.Conn
	var err error
	select {
	case peer = <-proved:
		cancel()
		<-accepting
	case err = <-accepting:
		if ctx.Err() != nil {
			err = inventory.NewReason(inventory.NobodyCame, "the other node did not come")
		}
		err = fmt.Errorf("wait for the other node: %w", err)
		cancel()
	}
	callers.Wait()
	select {
	case second := <-proved:
		_ = second.Close()
	default:
	}
	return peer, err
}

// dialProbe connects to the other node and measures.
func dialProbe(ctx context.Context, order wire.ProbeOrder) (wire.ProbeReport, error) {
	at, err := inventory.ParseAddress(order.Dial)
	if err != nil {
		return wire.ProbeReport{}, err
	}
	const long = wire.ProbePatience / 2
	dialling, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	peer, err := new(net.Dialer).DialContext(dialling, "tcp", at.String())
	switch {
	case err != nil && dialling.Err() != nil:
		return wire.ProbeReport{}, inventory.NewReason(inventory.NoAnswer, fmt.Sprintf("reach %s: no answer within %v", at, long), "address", at.String(), "after", long.String())
	case err != nil:
		return wire.ProbeReport{}, inventory.NewReason(inventory.Unreachable, fmt.Sprintf("reach %s: %v", at, err), "address", at.String(), "error", err.Error())
	}
	defer peer.Close()
	stop := context.AfterFunc(ctx, func() { _ = peer.SetDeadline(time.Now()) })
	defer stop()
	if err := proveDialling(peer, order.Key); err != nil {
		return wire.ProbeReport{}, fmt.Errorf("shake hands with %s: %w", order.Dial, err)
	}
	report, err := measure(peer, order)
	if err != nil {
		err = inventory.NewReason(inventory.BrokenOff, err.Error(), "error", err.Error())
	}
	return report, err
}
