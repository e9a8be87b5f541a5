// Package msccl reads and writes schedules as MSCCL XML, the format of
// Microsoft's MSCCL and of RCCL: for every gpu its thread blocks, for every
// thread block the steps that it carries out in order.
//
//	algo > gpu > tb > step
//
// A thread block sends to at most one gpu and receives from at most one, over
// one channel. What one sends over a channel is received first in, first out.
// A step waits for step `deps` of thread block `depid` of its own gpu. Its
// type says what it does:
//
//	s    send src                       r     receive into dst
//	rcs  receive into dst, send dst     rrc   dst = src + received
//	rrs  send src + received            rrcs  dst = src + received, send dst
//	cpy  dst = src                      re    dst = dst + src
//	nop  only wait
//
// Buffers are i (our in), o (out) and s (scratch, our tmp). In a file that
// works in place i and o are the same memory.
//
// Export writes any schedule that hosts can run, of the collectives that the
// format knows. Attributes of our own, which MSCCL's reader passes over, make
// the way back exact: the root of the algo, the id and round of a step. A
// runtime has limits that the format has not (256 steps a thread block, 71
// chunks a step when it was built so); Export does not hold them.
//
// Import reads our own files and everybody's. What it returns is proved by
// schedule.Check; what it refuses, it refuses with the line.
package msccl
