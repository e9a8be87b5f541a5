package mpi

import (
	"regexp"
	"strings"
)

var numbers = regexp.MustCompile(`\d+(\.\d+)+\S*`)

// product finds name and version in what a library says of itself: "Open MPI
// v4.1.4, package: …", "MPICH Version:      4.0.2", "Intel(R) MPI Library 2021.10 for …".
func product(family, says string) (name, version string) {
	switch {
	case strings.HasPrefix(says, "Intel"):
		family = "Intel MPI"
	case strings.HasPrefix(says, "MVAPICH"):
		family = "MVAPICH"
	case strings.HasPrefix(says, "MPI VERSION    : CRAY"):
		family = "Cray MPICH"
	}
	return family, strings.TrimRight(numbers.FindString(says), ",")
}
