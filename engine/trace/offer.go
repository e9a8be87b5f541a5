package trace

// Offer says whether a back end can carry out runs on the console's own
// machine.
type Offer struct {
	Backend Backend
	Library *Library // that moves the bytes; nil where it is not there, and for Host
	Missing Missing  // why it is not there; "" where it is
	Said    string   // for Missing: the program that was found instead, or what the loader says
	Reason  string   // for Missing, in a sentence
}

// Missing is why a back end is not there.
type Missing string

// What can be missing.
const (
	NoSystem     Missing = "system"     // MPI's ranks run on Linux
	NoLauncher   Missing = "launcher"   // there is no mpirun on the path
	OddLauncher  Missing = "kind"       // its mpirun is of neither Open MPI nor MPICH
	DumbLauncher Missing = "unanswered" // its mpirun does not say whose it is
	RefusesRoot  Missing = "root"       // Open MPI starts no ranks for root unless it is told to
	NoLibrary    Missing = "library"    // the launcher's library cannot be loaded
)
