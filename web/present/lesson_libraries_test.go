package present

import (
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views"
)

// librarySettings is the shape of what makes a library take an algorithm.
var librarySettings = map[string]*regexp.Regexp{
	"NCCL":     regexp.MustCompile(`^(NCCL_ALGO=(Ring|Tree|PAT|NVLS|NVLSTree)|NCCL_SYM_KERNEL=(AllGather|ReduceScatter|AllReduce)_\w+)$`),
	"Open MPI": regexp.MustCompile(`^--mca coll_(tuned_use_dynamic_rules 1 --mca coll_tuned_[a-z_]+_algorithm \d|han_priority \d+|ucc_enable 1 --mca coll_ucc_priority \d+)$`),
	"MPICH":    regexp.MustCompile(`^MPIR_CVAR_[A-Z_]+_INTRA_ALGORITHM=[a-z_]+$`),
}

func TestEveryPairTellsOfEveryLibrary(t *testing.T) {
	if got, want := len(libraryRows), len(schedule.Catalog()); got != want {
		t.Errorf("rows: %d, the catalogue has %d pairs", got, want)
	}
	for lang, f := range frames(t) {
		for _, entry := range schedule.Catalog() {
			pair := string(entry.Collective) + "/" + entry.Algorithm
			v, err := Lesson(f, LessonRequest{Entry: entry})
			if err != nil {
				t.Fatal(err)
			}
			if v.Libraries == nil || len(v.Libraries.Rows) != len(librarySettings) {
				t.Errorf("%s: %s: libraries are %+v", lang, pair, v.Libraries)
				continue
			}
			for _, row := range v.Libraries.Rows {
				checkLibrary(t, lang+": "+pair, row)
			}
		}
	}
}

// checkLibrary checks that a library's row is said, and can be copied where it
// has a setting.
func checkLibrary(t *testing.T, name string, row views.LibraryChoice) {
	t.Helper()
	unsaid := regexp.MustCompile(`chosen\.|<no value>|\{\{|^$|[：:]\s*$`)
	if unsaid.MatchString(row.When) || row.Note != "" && unsaid.MatchString(row.Note) {
		t.Errorf("%s: %s says %q, %q", name, row.Library, row.When, row.Note)
	}
	set := strings.Join(row.Set, " ")
	if set != "" && !librarySettings[row.Library].MatchString(set) {
		t.Errorf("%s: %s has the setting %q", name, row.Library, set)
	}
	if set != "" && row.Name == "" {
		t.Errorf("%s: %s has the setting %q for no algorithm", name, row.Library, set)
	}
}

// A row names the cases that its message promises.
func TestLibraryCasesAreBounded(t *testing.T) {
	for _, row := range libraryRows {
		for _, c := range []libraryChoice{row.nccl, row.openMPI, row.mpich} {
			for _, one := range c.cases {
				if one.of == "" && one.min == 0 && one.max == 0 && one.ranks == "" && one.op == "" {
					t.Errorf("%s/%s: %s has an empty case", row.collective, row.algorithm, c.name)
				}
				if one.max > 0 && one.min > one.max || one.below > 0 && one.from >= one.below || one.upto > 0 && one.over >= one.upto {
					t.Errorf("%s/%s: %s has the case %+v", row.collective, row.algorithm, c.name, one)
				}
				if one.of == "" && one.from+one.over+one.below+one.upto > 0 {
					t.Errorf("%s/%s: %s has sizes of nothing", row.collective, row.algorithm, c.name)
				}
			}
		}
	}
}
