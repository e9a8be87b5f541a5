package worker

import "io"

// Rank is the console's end of a worker. One goroutine calls Next; any may
// send. Sending blocks while the worker does not read; closing the connection
// ends it.
type Rank struct{ s *stream }

// Attach speaks with the worker at the other end of conn.
func Attach(conn io.ReadWriteCloser) *Rank { return &Rank{newStream(conn)} }

// Next reads the worker's next message. The error of a worker that has ended
// is io.EOF.
func (r *Rank) Next() (Message, error) {
	k, body, err := r.s.receive()
	if err != nil {
		return nil, err
	}
	return parse(k, body)
}

// Begin hands the worker its job.
func (r *Rank) Begin(job Job) error {
	job.Protocol = Protocol
	return r.s.sendJSON(kindJob, job)
}

// Meet tells the worker the addresses of all ranks, by rank.
func (r *Rank) Meet(addresses []string) error { return r.s.sendJSON(kindPeers, peers{addresses}) }

// Fetch asks for bytes of a row of the worker's out, from a byte of the row
// on; a Piece answers.
func (r *Rank) Fetch(row, offset int) error { return r.s.sendJSON(kindFetch, fetch{row, offset}) }

// Brake makes the worker's work take factor times as long from now on; 1 lets
// go. It may come at any time.
func (r *Rank) Brake(factor int) error { return r.s.sendJSON(kindBrake, brake{factor}) }

// Quit ends the worker.
func (r *Rank) Quit() error { return r.s.send(kindQuit, nil) }

// Close closes the connection.
func (r *Rank) Close() error { return r.s.conn.Close() }
