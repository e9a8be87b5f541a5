package span

import (
	"errors"
	"net"
	"sync"
	"testing"

	"lockstep/cluster/conduct"
)

// A node that agrees to carry its ranks out and goes before they are started.
func TestANodeThatGoesBeforeItsRanksAreStarted(t *testing.T) {
	ours, theirs := net.Pipe()
	leave := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() {
		session, err := server(theirs)
		if err != nil {
			t.Error(err)
			return
		}
		defer session.Close()
		stream, err := session.AcceptStream()
		if err != nil {
			t.Error(err)
			return
		}
		c := newControl(stream)
		if _, _, err := c.read(maxShare); err != nil {
			t.Error(err)
			return
		}
		frame, err := newFrame(kindAccept, accept{})
		if err == nil {
			_, err = stream.Write(frame)
		}
		if err != nil {
			t.Error(err)
			return
		}
		<-leave
	})
	f, err := reach(t.Context(), ours, "b", good(t))
	if err != nil {
		t.Fatal(err)
	}
	close(leave)
	beside.Wait()
	lost := new(conduct.LostError)
	if _, err := f.Launch(2); !errors.As(err, &lost) || err.Error() != "its connection ended" {
		t.Errorf("Launch = %v", err)
	}
	f.Close()
}
