// Package unit holds the quantities that every floor of the project shares:
// Bytes, Rate and Seconds, and how people write them.
//
// Bytes count octets; kB, MB, GB are powers of 1,000 and KiB, MiB, GiB powers
// of 1,024. A Rate is in bytes per second; links sold in bits are read with a
// lower-case b (100Gb/s = 12.5GB/s). Wall-clock times and deadlines stay
// time.Duration; Seconds is for modelled times, which are often shorter than
// the nanosecond that a Duration can hold (8 bytes at 12.5 GB/s take 0.64 ns).
//
// Parsing refuses what can be read in two ways: "100G" could be bits or bytes,
// so the error names both readings.
package unit
