// Package worker is both ends of a rank process: Serve is the process, Rank is
// what the console holds of it. They speak over any byte stream, such as the
// process's standard input and output.
//
// A conversation, in order:
//
//	worker    hello        who it is; from here on a heartbeat every 100 ms
//	console   job          the program, the run's key, how to run it
//	worker    listening    where its peers find it
//	console   peers        where it finds them
//	worker    ready        all its edges stand; it begins by itself
//	worker    marks, times what it has reached, at most every 50 ms
//	worker    digests      of every row of its out; the run is over
//	console   fetch        bytes of a row that is wrong
//	worker    piece
//	console   quit
//
// At any time the console may send a brake, which makes the worker slow.
// Instead of any of its messages from listening on, a worker may send a fault;
// it then waits for quit. A frame is a kind byte, a four-byte length and a
// body: JSON for control, fixed binary records for what comes often. Lengths
// are bounded before anything is allocated.
//
// Between a console and a worker of another machine stands an agent: it hands
// the worker its job, which it has made itself, and passes the rest on (Pass).
//
// A worker whose console is gone (its input ends) ends at once.
package worker
