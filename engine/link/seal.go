package link

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/sys/cpu"
)

// ErrTampered marks a frame of a sealed edge that is not, byte for byte and in
// its place, what the other end has sealed: something on the way has changed,
// dropped, moved or repeated bytes.
var ErrTampered = errors.New("a sealed frame is not what the other end has sent")

// suite is how an edge is sealed. The dialler chooses, by what its processor
// does fast, and both ends prove the choice.
type suite byte

const (
	plain  suite = iota // authenticated in the handshake only
	aesGCM              // AES-256-GCM
	chaCha              // ChaCha20-Poly1305
)

const (
	sealKeySize = 32
	tagSize     = 16
	// framesPerKey is after how many frames an edge changes its key: 128 GiB at
	// most, or 2^33 blocks, well within what AES-GCM may encrypt under one.
	framesPerKey = 1 << 20
)

// fastest returns the suite for a processor: AES-GCM where it has instructions
// for both of its halves, else ChaCha20-Poly1305, which needs none.
func fastest() suite {
	if cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ || cpu.ARM64.HasAES && cpu.ARM64.HasPMULL || cpu.S390X.HasAESGCM {
		return aesGCM
	}
	return chaCha
}

func (s suite) known() bool { return s <= chaCha }

func (s suite) aead(key []byte) (cipher.AEAD, error) {
	if s == chaCha {
		return chacha20poly1305.New(key)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// session is what the two ends of a sealed connection have agreed upon: the
// secrets of its two directions, seen from one end.
type session struct {
	suite   suite
	out, in []byte
}

// newSession derives the secrets of a connection from the run's key, both
// nonces, and the hello, which names run, edge, lane and suite: no two
// connections have a secret in common.
func newSession(s suite, key Key, hello []byte, theirs []byte, dialled bool) (*session, error) {
	nonces := append(append([]byte(nil), hello[nonceAt:nonceAt+nonceSize]...), theirs...)
	var secrets [2][]byte
	for i, direction := range []string{"from the dialler", "to the dialler"} {
		var err error
		if secrets[i], err = hkdf.Key(sha256.New, key[:], nonces, "lockstep sealed edge "+direction+string(hello), sealKeySize); err != nil {
			return nil, fmt.Errorf("derive an edge's secret: %w", err)
		}
	}
	if dialled {
		return &session{s, secrets[0], secrets[1]}, nil
	}
	return &session{s, secrets[1], secrets[0]}, nil
}

// sealer is one end of one direction. Frame i is sealed with nonce i, under the
// key of its epoch: a nonce is never used twice with a key, and a frame is good
// at one place only.
type sealer struct {
	suite  suite
	secret []byte
	aead   cipher.AEAD // of the epoch that frame count is in
	count  uint64      // frames
	nonce  [chacha20poly1305.NonceSize]byte
}

// turn makes ready for the next frame.
func (s *sealer) turn() error {
	if s.aead == nil || s.count%framesPerKey == 0 {
		key, err := hkdf.Expand(sha256.New, s.secret, fmt.Sprintf("epoch %d", s.count/framesPerKey), sealKeySize)
		if err == nil {
			s.aead, err = s.suite.aead(key)
		}
		if err != nil {
			return fmt.Errorf("make the key of frame %d: %w", s.count, err)
		}
	}
	binary.BigEndian.PutUint64(s.nonce[len(s.nonce)-8:], s.count)
	s.count++
	return nil
}

// add seals text and appends the frame to dst.
func (s *sealer) add(dst, text []byte) ([]byte, error) {
	if err := s.turn(); err != nil {
		return dst, err
	}
	return s.aead.Seal(dst, s.nonce[:], text, nil), nil
}

// open writes to text, which is as long as it must be, what the frame holds.
func (s *sealer) open(text, frame []byte) error {
	if err := s.turn(); err != nil {
		return err
	}
	if _, err := s.aead.Open(text[:0:len(text)], s.nonce[:], frame, nil); err != nil {
		return fmt.Errorf("%w (frame %d, of %d bytes)", ErrTampered, s.count-1, len(text))
	}
	return nil
}
