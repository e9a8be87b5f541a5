package inventory

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// sought are the libraries that are looked for.
var sought = []struct {
	name string
	kind string // whose it is; empty: the file itself tells
}{
	{"libmpi", ""},
	{"libnccl", "NCCL"},
	{"librccl", "RCCL"},
	{"libcuda", "CUDA"},
	{"libhccl", "HCCL"},
}

// usualFolders are where vendors put libraries that no cache of the linker
// lists, after those that every system has.
var usualFolders = []string{
	"usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64", "usr/lib", "lib64", "usr/local/lib", "usr/local/lib64",
	"usr/lib64/openmpi/lib", "usr/lib64/mpich/lib", "opt/hpcx/ompi/lib", "opt/intel/oneapi/mpi/latest/lib",
	"usr/local/cuda/lib64", "usr/local/cuda/compat", "opt/rocm/lib", "usr/local/Ascend/ascend-toolkit/latest/lib64",
}

// readLibraries says of each library where it is. Folders are searched before
// the linker's cache, as the linker does. Nothing is loaded: a library runs
// code of its own when it is.
func readLibraries(root fs.FS, folders []string) []Library {
	cached := readCache(root)
	var all []Library
	for _, s := range sought {
		found := Library{Name: s.name}
		for _, file := range candidates(root, s.name, folders, cached) {
			l := readLibrary(root, s.name, file)
			if l.Kind == "" {
				l.Kind = s.kind
			}
			if found.File == "" || l.Fault == "" { // the first that can be used, else the first
				found = l
			}
			if l.Fault == "" {
				break
			}
		}
		all = append(all, found)
	}
	return all
}

// candidates lists the files that may be a library, the most likely first.
func candidates(root fs.FS, name string, folders, cached []string) []string {
	var files []string
	take := func(folder string) {
		matches, err := fs.Glob(root, path.Join(folder, name+".so*"))
		if err != nil {
			return
		}
		// The shortest is the name that programs ask for: libnccl.so.2 before
		// libnccl.so.2.21.5. The name without any number is for compilers.
		slices.SortFunc(matches, func(a, b string) int {
			return cmp.Or(cmp.Compare(unversioned(a), unversioned(b)), cmp.Compare(len(a), len(b)))
		})
		files = append(files, matches[:min(len(matches), 4)]...)
	}
	for _, folder := range folders {
		take(folder)
	}
	for _, file := range cached {
		if base := path.Base(file); strings.HasPrefix(base, name+".so.") || base == name+".so" {
			files = append(files, file)
		}
	}
	for _, folder := range usualFolders {
		take(folder)
	}
	return files
}

// unversioned is 1 for a name that ends in .so, else 0.
func unversioned(name string) int {
	if strings.HasSuffix(name, ".so") {
		return 1
	}
	return 0
}

// fileVersion is the version at the end of a library's full name, which is
// more than the one number of its interface.
var fileVersion = regexp.MustCompile(`\.so\.(\d+(?:\.\d+)+)$`)

// readLibrary describes the library in a file.
func readLibrary(root fs.FS, name, file string) Library {
	l := Library{Name: name, File: "/" + file}
	real := follow(root, file)
	if m := fileVersion.FindStringSubmatch(real); m != nil && name != "libmpi" { // MPI's numbers count interfaces
		l.Version = m[1]
	}
	if name == "libmpi" {
		l.Kind, l.Version, l.Fault = readMPI(root, real)
		return l
	}
	if err := checkELF(root, real); err != nil {
		l.Fault = err.Error()
	}
	return l
}

// maxHops is how many symbolic links are followed, as Linux does.
const maxHops = 40

// follow returns the file that a path leads to over symbolic links.
func follow(root fs.FS, name string) string {
	for range maxHops {
		target, err := fs.ReadLink(root, name)
		if err != nil {
			return name
		}
		if path.IsAbs(target) {
			name = strings.TrimPrefix(path.Clean(target), "/")
		} else {
			name = path.Join(path.Dir(name), target)
		}
	}
	return name
}

// readLaunchers lists the programs in the folders of PATH that start ranks of
// MPI, the first of each name.
func readLaunchers(root fs.FS, folders []string) []Launcher {
	var all []Launcher
	for _, name := range []string{"mpirun", "mpiexec"} {
		for _, folder := range folders {
			file := path.Join(folder, name)
			if info, err := fs.Stat(root, follow(root, file)); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
				continue
			}
			all = append(all, Launcher{Name: name, File: "/" + file, Kind: launcherKind(root, file)})
			break
		}
	}
	return all
}

// launcherKind tells by the names that a launcher's links go through whose it
// is: distributions link mpirun over an alternative to the real one.
func launcherKind(root fs.FS, file string) string {
	for range maxHops {
		for _, mark := range []struct{ text, kind string }{
			{"openmpi", openMPI}, {"orterun", openMPI}, {"prterun", openMPI}, {"hpcx", openMPI}, {"mpich", mpich}, {"hydra", mpich}, {"intel", intelMPI},
		} {
			if strings.Contains(file, mark.text) {
				return mark.kind
			}
		}
		target, err := fs.ReadLink(root, file)
		if err != nil {
			break
		}
		if !path.IsAbs(target) {
			target = path.Join(path.Dir(file), target)
		}
		file = strings.TrimPrefix(path.Clean(target), "/")
	}
	return ""
}
