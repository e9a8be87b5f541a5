package worker

import (
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"lockstep/engine/library/mpi"
	"lockstep/engine/link"
)

// AttachEnv in the environment of a worker that somebody else has started, such
// as mpirun, is the socket of the console that waits for it; AttachKeyEnv is
// a key, by which the worker proves that it belongs there.
const (
	AttachEnv    = "LOCKSTEP_ATTACH"
	AttachKeyEnv = "LOCKSTEP_ATTACH_KEY"
)

// A worker that attaches says first who it is: the key and its rank.
const prefaceSize = len(link.Key{}) + 4

// dialConsole attaches to a console as the rank that the launcher has made of
// this process.
func dialConsole(at, key string) (io.ReadWriteCloser, error) {
	secret, err := hex.DecodeString(key)
	if err != nil || len(secret) != len(link.Key{}) {
		return nil, errors.New("the environment holds no key")
	}
	rank := mpi.Launched(os.Getenv).Rank
	if rank < 0 {
		return nil, errors.New("the environment does not tell which rank this is; accepted: what mpirun, mpiexec and srun set")
	}
	conn, err := net.Dial("unix", at)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(binary.BigEndian.AppendUint32(secret, uint32(rank))); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// ReadPreface reads what a worker that attaches says first, and returns its
// rank.
func ReadPreface(from io.Reader, key link.Key) (rank int, err error) {
	var text [prefaceSize]byte
	if _, err := io.ReadFull(from, text[:]); err != nil {
		return 0, fmt.Errorf("read who attaches: %w", err)
	}
	if subtle.ConstantTimeCompare(text[:len(key)], key[:]) == 0 {
		return 0, errors.New("read who attaches: not the key")
	}
	return int(int32(binary.BigEndian.Uint32(text[len(key):]))), nil
}
