// Package mpi is the back end that moves a run's bytes by an MPI library: Open
// MPI or MPICH, bound when the program runs, so that one binary starts with
// either and with neither.
//
// A process that mpirun or srun has started calls Open, which finds and loads
// the library that belongs to its launcher, and Library.Init, which makes it a
// rank of the world. World then is
//
//   - a rank.Link (World.Link): our schedule over the library's sends and
//     receives, with our own reductions, seen step by step;
//   - the library's own collectives (World.Calls): one call, or several on
//     slices, between which alone anything can be seen.
//
// The two families lay out their handles differently: Open MPI's are addresses
// of objects in the library, MPICH's are numbers. Which one a library is its
// symbols tell (layout in abi.go).
//
// Everything of a World is called from the one thread that called Init.
package mpi
