package inventory

// Library is a vendor's library that ranks can use, or that it is not there.
type Library struct {
	Name    string `json:"name"`              // of the file, without its version: libnccl
	Kind    string `json:"kind,omitempty"`    // whose it is: Open MPI, MPICH, NCCL
	Version string `json:"version,omitempty"` // absent where the file does not tell
	File    string `json:"file,omitempty"`    // empty: not found
	Fault   string `json:"fault,omitempty"`   // why a file that is there is of no use
}

// Launcher is a program that starts the ranks of MPI.
type Launcher struct {
	Name string `json:"name"` // mpirun, mpiexec
	File string `json:"file"` // where PATH finds it
	Kind string `json:"kind,omitempty"`
}
