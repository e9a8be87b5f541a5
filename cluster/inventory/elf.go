package inventory

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"runtime"
)

// Whose a libmpi can be.
const (
	openMPI  = "Open MPI"
	mpich    = "MPICH"
	intelMPI = "Intel MPI"
)

// machines are the ELF machines of what Go calls an architecture.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// openELF opens a library of this machine's kind. The caller closes both.
func openELF(root fs.FS, name string) (*elf.File, io.Closer, error) {
	file, err := root.Open(name)
	if err != nil {
		return nil, nil, errors.New("it cannot be read")
	}
	reader, ok := file.(io.ReaderAt)
	if !ok {
		_ = file.Close()
		return nil, nil, errors.New("it cannot be read at any place")
	}
	library, err := elf.NewFile(reader)
	if err != nil {
		_ = file.Close()
		return nil, nil, errors.New("it is no ELF file")
	}
	if want, known := machines[runtime.GOARCH]; known && library.Machine != want {
		_ = file.Close()
		return nil, nil, fmt.Errorf("it is for %v", library.Machine)
	}
	return library, file, nil
}

// checkELF says why a file is no library that this machine could load.
func checkELF(root fs.FS, name string) error {
	_, file, err := openELF(root, name)
	if err != nil {
		return err
	}
	return file.Close()
}

// mpiVersions are how the implementations write their version into their
// read-only data.
var mpiVersions = map[string]*regexp.Regexp{
	openMPI:  regexp.MustCompile(`\x00v(\d+\.\d+\.\d+)(?:rc\d+)?\x00`),
	mpich:    regexp.MustCompile(`MPICH Version:\s*(\d+\.\d+(?:\.\d+)?)`),
	intelMPI: regexp.MustCompile(`Intel\(R\) MPI Library (\d+(?:\.\d+)+)`),
}

// maxRodata is the most read-only data that is searched for a version.
const maxRodata = 8 << 20

// readMPI tells by a library's symbols whose MPI it is, which decides what its
// handles are: pointers to objects in Open MPI, integers in MPICH.
func readMPI(root fs.FS, name string) (kind, version, fault string) {
	library, file, err := openELF(root, name)
	if err != nil {
		return "", "", err.Error()
	}
	defer file.Close()
	symbols, err := library.DynamicSymbols()
	if err != nil {
		return "", "", "it has no dynamic symbols"
	}
	for _, symbol := range symbols {
		switch {
		case symbol.Section == elf.SHN_UNDEF:
		case symbol.Name == "ompi_mpi_comm_world":
			kind = openMPI
		case symbol.Name == "MPIR_Version_string" || symbol.Name == "MPII_Version_string" || symbol.Name == "MPIR_Process":
			kind = mpich
		}
	}
	if kind == "" {
		return "", "", "it exports no symbol by which an MPI could be told"
	}
	data := library.Section(".rodata")
	if data == nil || data.Size > maxRodata {
		return kind, "", ""
	}
	text, err := data.Data()
	if err != nil {
		return kind, "", ""
	}
	if bytes.Contains(text, []byte("Intel(R) MPI Library")) { // built on MPICH, with its symbols
		kind = intelMPI
	}
	if m := mpiVersions[kind].FindSubmatch(text); m != nil {
		version = string(m[1])
	}
	return kind, version, ""
}
