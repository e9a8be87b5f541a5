package link

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Key is a run's secret: whoever holds it may join the run's links.
type Key [32]byte

// NewKey returns a random key.
func NewKey() Key {
	var k Key
	rand.Read(k[:]) // never fails
	return k
}

// The handshake of an edge. The dialler speaks first:
//
//	dialler   hello: magic, version, lane, src, dst, suite, run, nonce,
//	          HMAC(key, "hello", all of these)
//	acceptor  nonce, HMAC(key, "accept", hello, nonce)
//	dialler   HMAC(key, "dial", hello, acceptor's nonce)
//	acceptor  one byte: the edge stands
//
// Who does not hold the key gets no answer. Every message has a fixed length,
// so nobody allocates by a stranger's word. All proofs cover the hello, and with
// it whether and how the edge is sealed.
const (
	version   = 2
	nonceSize = 32
	macSize   = sha256.Size
	runAt     = 8 + 2 + 2 + 4 + 4 + 1
	nonceAt   = runAt + sha256.Size
	helloSize = nonceAt + nonceSize + macSize
	replySize = nonceSize + macSize
	standing  = 1
)

var magic = [8]byte{'l', 'o', 'c', 'k', 's', 't', 'e', 'p'}

var errProof = errors.New("the other end does not prove that it holds the run's key")

// hello is a dialler's first message.
type hello struct {
	edge  edge
	suite suite
	run   [sha256.Size]byte // the hash of the run's name
	nonce [nonceSize]byte
}

// put writes the hello as it travels.
func (h *hello) put(key Key) (b [helloSize]byte) {
	copy(b[:8], magic[:])
	binary.BigEndian.PutUint16(b[8:], version)
	binary.BigEndian.PutUint16(b[10:], uint16(h.edge.lane))
	binary.BigEndian.PutUint32(b[12:], uint32(h.edge.src))
	binary.BigEndian.PutUint32(b[16:], uint32(h.edge.dst))
	b[20] = byte(h.suite)
	copy(b[runAt:], h.run[:])
	copy(b[nonceAt:], h.nonce[:])
	copy(b[helloSize-macSize:], proof(key, "hello", b[:helloSize-macSize], nil))
	return b
}

// parseHello reads what put has written with the same key.
func parseHello(key Key, b *[helloSize]byte) (hello, error) {
	if [8]byte(b[:8]) != magic {
		return hello{}, errors.New("read hello: not a rank of ours")
	}
	if v := binary.BigEndian.Uint16(b[8:]); v != version {
		return hello{}, fmt.Errorf("read hello: link protocol %d; accepted: %d", v, version)
	}
	if !hmac.Equal(b[helloSize-macSize:], proof(key, "hello", b[:helloSize-macSize], nil)) {
		return hello{}, errProof
	}
	h := hello{
		edge: edge{
			lane: int(binary.BigEndian.Uint16(b[10:])),
			src:  int(binary.BigEndian.Uint32(b[12:])),
			dst:  int(binary.BigEndian.Uint32(b[16:])),
		},
		suite: suite(b[20]),
		run:   [sha256.Size]byte(b[runAt:]),
		nonce: [nonceSize]byte(b[nonceAt:]),
	}
	if !h.suite.known() {
		return hello{}, fmt.Errorf("read hello: sealed by suite %d; accepted: %d at most", h.suite, chaCha)
	}
	return h, nil
}

// proof is what an end sends to show that it holds the key. The role keeps one
// end from echoing the other.
func proof(key Key, role string, hello []byte, nonce []byte) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(role))
	mac.Write(hello)
	mac.Write(nonce)
	return mac.Sum(nil)
}

// introduce is the dialler's end of the handshake. The session of a plain edge
// is nil.
func introduce(conn io.ReadWriter, key Key, run [sha256.Size]byte, e edge, by suite) (*session, error) {
	h := hello{edge: e, suite: by, run: run}
	rand.Read(h.nonce[:])
	first := h.put(key)
	if _, err := conn.Write(first[:]); err != nil {
		return nil, fmt.Errorf("send hello: %w", err)
	}
	var reply [replySize]byte
	if _, err := io.ReadFull(conn, reply[:]); err != nil {
		return nil, fmt.Errorf("read the answer to hello: %w", err)
	}
	nonce := reply[:nonceSize]
	if !hmac.Equal(reply[nonceSize:], proof(key, "accept", first[:], nonce)) {
		return nil, errProof
	}
	if _, err := conn.Write(proof(key, "dial", first[:], nonce)); err != nil {
		return nil, fmt.Errorf("send the proof: %w", err)
	}
	var last [1]byte
	if _, err := io.ReadFull(conn, last[:]); err != nil {
		return nil, fmt.Errorf("read that the edge stands: %w", err)
	}
	if by == plain {
		return nil, nil
	}
	return newSession(by, key, first[:], nonce, true)
}

// receive is the acceptor's end of the handshake, up to the dialler's proof.
// Only a hello that wanted says yes to is answered at all.
func receive(conn io.ReadWriter, key Key, run [sha256.Size]byte, wanted func(*hello) bool) (edge, *session, error) {
	var first [helloSize]byte
	if _, err := io.ReadFull(conn, first[:]); err != nil {
		return edge{}, nil, fmt.Errorf("read hello: %w", err)
	}
	h, err := parseHello(key, &first)
	if err != nil {
		return edge{}, nil, err
	}
	if h.run != run || !wanted(&h) {
		return edge{}, nil, fmt.Errorf("read hello: edge %v is not expected here", h.edge)
	}
	var reply [replySize]byte
	nonce := reply[:nonceSize]
	rand.Read(nonce)
	copy(reply[nonceSize:], proof(key, "accept", first[:], nonce))
	if _, err := conn.Write(reply[:]); err != nil {
		return edge{}, nil, fmt.Errorf("answer hello: %w", err)
	}
	var mac [macSize]byte
	if _, err := io.ReadFull(conn, mac[:]); err != nil {
		return edge{}, nil, fmt.Errorf("read the proof: %w", err)
	}
	if !hmac.Equal(mac[:], proof(key, "dial", first[:], nonce)) {
		return edge{}, nil, errProof
	}
	if h.suite == plain {
		return h.edge, nil, nil
	}
	s, err := newSession(h.suite, key, first[:], nonce, false)
	return h.edge, s, err
}
