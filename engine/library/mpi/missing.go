package mpi

import "strings"

// MissingError says that no MPI library could be loaded.
type MissingError struct{ Tried []string } // what the loader says of each file

func (e *MissingError) Error() string {
	if len(e.Tried) == 0 {
		return "there is no MPI library"
	}
	return "there is no MPI library that can be loaded: " + strings.Join(e.Tried, "; ")
}
