package store

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite schema.sql")

// schemaOf prints the definitions in db, without those of goose and SQLite.
func schemaOf(t *testing.T, db *sql.DB) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT sql FROM sqlite_schema
		WHERE sql IS NOT NULL AND tbl_name <> 'goose_db_version' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		ORDER BY tbl_name, type DESC, name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var dump strings.Builder
	dump.WriteString("-- The schema after all migrations; go test ./store -update writes it.\n")
	for rows.Next() {
		var definition string
		if err := rows.Scan(&definition); err != nil {
			t.Fatal(err)
		}
		dump.WriteString("\n" + definition + ";\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return dump.String()
}

func TestSchemaIsTheGoldenOne(t *testing.T) {
	got := schemaOf(t, open(t).read)
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema.sql (-want +got); -update rewrites it:\n%s", diff)
	}
}

func TestTablesAreStrict(t *testing.T) {
	var loose int
	if err := open(t).read.QueryRowContext(t.Context(), `SELECT count(*) FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> 'goose_db_version'`).Scan(&loose); err != nil {
		t.Fatal(err)
	}
	if loose != 0 {
		t.Errorf("%d tables are not STRICT", loose)
	}
}

// rowsOf counts the rows of every table.
func rowsOf(t *testing.T, db *sql.DB) map[string]int {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT name FROM sqlite_schema
		WHERE type = 'table' AND name <> 'goose_db_version' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, name := range names {
		var n int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM "`+name+`"`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		counts[name] = n
	}
	return counts
}

// TestMigrateFromEveryEarlierVersion fills a database as each version wrote it
// and opens it with this one.
func TestMigrateFromEveryEarlierVersion(t *testing.T) {
	fresh := schemaOf(t, open(t).read)
	for _, version := range versions(t) {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			before := fillAt(t, dir, version)
			s := openIn(t, dir)
			if diff := cmp.Diff(fresh, schemaOf(t, s.read)); diff != "" {
				t.Errorf("schema differs from a fresh one (-fresh +migrated):\n%s", diff)
			}
			after := rowsOf(t, s.read)
			for table, n := range before {
				if after[table] != n {
					t.Errorf("table %s has %d rows after migration, %d before", table, after[table], n)
				}
			}
			var sound string
			if err := s.read.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&sound); err != nil || sound != "ok" {
				t.Errorf("integrity check: %q, %v", sound, err)
			}
			var orphans int
			if err := s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&orphans); err != nil || orphans != 0 {
				t.Errorf("foreign key check: %d orphans, %v", orphans, err)
			}
		})
	}
}

func versions(t *testing.T) []int64 {
	t.Helper()
	schema, err := newSchema(open(t).write)
	if err != nil {
		t.Fatal(err)
	}
	var all []int64
	for _, source := range schema.ListSources() {
		all = append(all, source.Version)
	}
	for i, version := range all {
		if version != int64(i+1) {
			t.Fatalf("migrations are numbered %v; want 1, 2, 3 and so on", all)
		}
	}
	return all
}

// fillAt makes a database of the given version with its sample rows and
// returns how many rows each table holds.
func fillAt(t *testing.T, dir string, version int64) map[string]int {
	t.Helper()
	if err := prepareFolder(dir); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", writeDSN(filepath.Join(dir, databaseFile)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	schema, err := newSchema(db)
	if err != nil {
		t.Fatal(err)
	}
	// Rows come in as history wrote them: those of version 1 before the
	// migration to version 2, and so on.
	for v := int64(1); v <= version; v++ {
		if _, err := schema.UpTo(t.Context(), v); err != nil {
			t.Fatal(err)
		}
		rows, err := os.ReadFile(filepath.Join("testdata", "rows", fmt.Sprintf("%04d.sql", v)))
		if err != nil {
			t.Fatalf("version %d has no sample rows: %v", v, err)
		}
		if _, err := db.ExecContext(t.Context(), string(rows)); err != nil {
			t.Fatalf("fill version %d: %v", v, err)
		}
	}
	counts := rowsOf(t, db)
	for _, table := range slices.Sorted(maps.Keys(counts)) {
		if counts[table] == 0 {
			t.Errorf("table %s has no sample row at version %d", table, version)
		}
	}
	return counts
}

func TestOpenRefusesANewerSchema(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), dir); !errors.Is(err, ErrNewerSchema) {
		if err == nil {
			s.Close()
		}
		t.Errorf("Open = %v, want ErrNewerSchema", err)
	}
}
