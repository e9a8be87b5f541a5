// Package benchlog reads the output of collective benchmarks as people paste
// it: nccl-tests and rccl-tests of all vintages, the OSU micro-benchmarks and
// hccl_test. Lines may be indented, quoted or prefixed by a launcher or a
// container's log, headers may be lost, and other programs' lines may stand
// between; what is not understood is skipped and counted, never guessed.
//
// A table is told from its rows, not from its header: the number of fields and
// which of them are words say what stands where. Times are held against the
// bandwidths beside them, which also tells milliseconds from microseconds. Rank
// count and collective are taken from what says so, else from what the ratio of
// bus bandwidth and algorithm bandwidth allows; they stay unknown otherwise.
package benchlog
