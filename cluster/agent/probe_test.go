package agent

import (
	"context"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// testPatience is how long a test waits for what takes milliseconds.
const testPatience = 30 * time.Second

// order is of a quick measurement.
func testOrder() wire.ProbeOrder {
	return wire.ProbeOrder{Key: wire.ProbeKey{1, 2, 3}, Pings: 5 * time.Millisecond, Transfer: 40 * time.Millisecond}
}

// asked is the console's end of a probe stream to a probe that is served.
func asked(t *testing.T, p Probe, order wire.ProbeOrder) net.Conn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	console, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = p.Serve(ctx, near) // what it says stands in its report
		near.Close()
	}()
	t.Cleanup(func() {
		cancel()
		console.Close()
		<-served
	})
	if err := console.SetDeadline(time.Now().Add(testPatience)); err != nil {
		t.Fatal(err)
	}
	if err := wire.WriteProbeOrder(console, order); err != nil {
		t.Fatal(err)
	}
	return console
}

// report reads one that has to be good.
func report(t *testing.T, conn net.Conn) wire.ProbeReport {
	t.Helper()
	r, err := wire.ReadProbeReport(conn)
	if err != nil || r.Fault != "" {
		t.Fatalf("report: %+v, %v", r, err)
	}
	return r
}

func TestTwoNodesMeasure(t *testing.T) {
	order := testOrder()
	listening := asked(t, Probe{}, order)
	order.Dial = report(t, listening).Listening
	found := report(t, asked(t, Probe{}, order))
	if found.Latency <= 0 || found.Latency > 0.1 || found.Out < 1e6 || found.In < 1e6 {
		t.Errorf("found %+v", found)
	}
	report(t, listening)
	if conn, err := net.Dial("tcp", order.Dial); err == nil {
		conn.Close()
		t.Error("the port is open after the measurement")
	}
}

func TestMeasurementIsForItsTwoNodes(t *testing.T) {
	order := testOrder()
	listening := asked(t, Probe{}, order)
	at := report(t, listening).Listening
	// Strangers: silent ones, noisy ones, and one with another key.
	for i := range 6 {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			_, _ = io.WriteString(conn, strings.Repeat("x", 200))
		}
	}
	wrong := order
	wrong.Dial, wrong.Key = at, wire.ProbeKey{9}
	if r, err := wire.ReadProbeReport(asked(t, Probe{}, wrong)); err != nil || r.Fault == "" {
		t.Errorf("with another key: %+v, %v", r, err)
	}
	order.Dial = at
	report(t, asked(t, Probe{}, order))
	report(t, listening)
}

func TestProbeKeepsToItsPorts(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	p := Probe{Bind: netip.MustParseAddr("127.0.0.1"), First: port, Last: port}
	r, err := wire.ReadProbeReport(asked(t, p, testOrder()))
	if err != nil || !strings.Contains(r.Fault, strconv.Itoa(port)) {
		t.Errorf("range of one port that is taken: %+v, %v", r, err)
	}
}

// Who is waited for no longer need not come: the port closes at once.
func TestAbandonedProbeClosesItsPort(t *testing.T) {
	began := time.Now()
	console := asked(t, Probe{}, testOrder())
	at := report(t, console).Listening
	console.Close()
	for {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			break
		}
		conn.Close()
		if time.Since(began) > wire.ProbePatience/2 {
			t.Fatal("the port is still open")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A name, or an address of no machine, is not dialled, whoever says it.
func TestProbeDialsAddressesOnly(t *testing.T) {
	for _, at := range []string{"localhost:80", "0.0.0.0:80", "nowhere"} {
		order := testOrder()
		order.Dial = at
		r, err := wire.ReadProbeReport(asked(t, Probe{}, order))
		if err != nil || r.Cause != inventory.WrongAddress || !strings.Contains(r.Fault, at) {
			t.Errorf("%s: %+v, %v", at, r, err)
		}
	}
}

func TestProbeSaysWhoIsNotThere(t *testing.T) {
	order := testOrder()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	order.Dial = gone.Addr().String()
	gone.Close()
	r, err := wire.ReadProbeReport(asked(t, Probe{}, order))
	if err != nil || !strings.Contains(r.Fault, order.Dial) || r.Cause != inventory.Unreachable || r.Values["address"] != order.Dial || r.Values["error"] == "" {
		t.Errorf("report: %+v, %v", r, err)
	}
}
