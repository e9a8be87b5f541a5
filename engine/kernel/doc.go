// Package kernel holds the inner loops of a running rank: element-wise
// reductions and copies at the speed of memory, and the two instructions with
// which ranks that share memory wait for and publish to each other.
//
// Every loop has a twin in plain Go (plain.go), which is what other processors
// run, and what every processor runs under the race detector, because the
// detector does not see into assembly. Both are held bit for bit against
// schedule.Arithmetic. On amd64 NewReduce asks the processor which of the
// loops in assembly it can run; a type and reduction for which it lacks an
// instruction goes the plain way. Setting GODEBUG=cpu.avx512f=off or
// GODEBUG=cpu.all=off makes a processor look older.
//
// The assembly is written by hand: each function is one use of the macro FOLD
// with the instructions that combine two vectors.
package kernel
