package wire

import (
	"encoding/binary"
	"errors"
	"net"
)

// ErrPing says that the other end of a session sends what only costs.
var ErrPing = errors.New("the other end sends pings, which no version of this program does")

// Pingless returns conn for a yamux session of which neither end pings, and
// ends with ErrPing if the other one does: the library answers each ping on a
// goroutine of its own, and an end that pings without reading would have as
// many wait as it likes. One goroutine reads, as that of a session does.
func Pingless(conn net.Conn) net.Conn { return &pingless{Conn: conn} }

// The frames of yamux (its spec.md): version, type, flags, stream, length; only
// data has a body.
const (
	muxHeader = 12
	muxData   = 0
	muxPing   = 2
	muxSYN    = 1
)

// pingless follows the frames in what is read. Its fields are the reading
// goroutine's.
type pingless struct {
	net.Conn
	head [muxHeader]byte
	have int    // of head
	body uint32 // bytes of the present frame's body that have not come
}

func (p *pingless) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	for rest := b[:n]; len(rest) > 0; {
		if p.body > 0 {
			skip := min(uint64(p.body), uint64(len(rest)))
			p.body -= uint32(skip)
			rest = rest[skip:]
			continue
		}
		took := copy(p.head[p.have:], rest)
		p.have += took
		rest = rest[took:]
		if p.have < muxHeader {
			break
		}
		p.have = 0
		switch p.head[1] {
		case muxData:
			p.body = binary.BigEndian.Uint32(p.head[8:])
		case muxPing:
			if binary.BigEndian.Uint16(p.head[2:])&muxSYN != 0 {
				return 0, ErrPing
			}
		}
	}
	return n, err
}
