package store

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repack writes a backup whose entries change has seen.
func repack(t *testing.T, file []byte, change func(name string, text []byte) (string, []byte)) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	to := tar.NewWriter(zip)
	from := tar.NewReader(bytes.NewReader(unzipped(t, file)))
	for {
		head, err := from.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		if head.Name, text = change(head.Name, text); text == nil {
			continue
		}
		head.Size = int64(len(text))
		if err := to.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(to.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRestoreRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	openIn(t, dir)
	good := backedUp(t, dir)
	manifest := func(change func(*Manifest)) []byte {
		return repack(t, good, func(name string, text []byte) (string, []byte) {
			if name != manifestName {
				return name, text
			}
			var m Manifest
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			change(&m)
			text, _ = json.Marshal(m)
			return name, text
		})
	}
	flipped := slices.Clone(good)
	flipped[len(flipped)/2] ^= 0x40
	for name, c := range map[string]struct {
		file []byte
		want error
		said string
	}{
		"empty":            {nil, ErrBackupDamaged, "ends too early"},
		"something else":   {[]byte("SQLite format 3\x00"), ErrBackupDamaged, "no compressed archive"},
		"head only":        {good[:20], ErrBackupDamaged, "ends too early"},
		"half":             {good[:len(good)/2], ErrBackupDamaged, "ends too early"},
		"all but a byte":   {good[:len(good)-1], ErrBackupDamaged, "ends too early"},
		"a flipped bit":    {flipped, ErrBackupDamaged, ""},
		"newer format":     {manifest(func(m *Manifest) { m.Format = 2 }), ErrBackupNewer, "format 2"},
		"another schema":   {manifest(func(m *Manifest) { m.Schema = 1 }), ErrBackupDamaged, "manifest says 1"},
		"a wrong checksum": {manifest(func(m *Manifest) { m.Files[0].SHA256 = strings.Repeat("00", 32) }), ErrBackupDamaged, "checksum"},
		"a way out":        {manifest(func(m *Manifest) { m.Files[0].Name = "../lockstep.db" }), ErrBackupDamaged, `"../lockstep.db"`},
		"no database":      {manifest(func(m *Manifest) { m.Files = nil }), ErrBackupDamaged, "more follows"},
		"no manifest": {repack(t, good, func(name string, text []byte) (string, []byte) {
			if name == manifestName {
				return name, nil
			}
			return name, text
		}), ErrBackupDamaged, "begins with"},
	} {
		t.Run(name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "restored")
			_, _, err := Restore(t.Context(), Restoration{From: bytes.NewReader(c.file), Dir: to})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.said) {
				t.Errorf("restore: %v; want %v with %q", err, c.want, c.said)
			}
			if left, err := os.ReadDir(to); err != nil || len(left) != 0 {
				t.Errorf("it left %v, %v", left, err)
			}
		})
	}
}

func TestRestoreRefusesANewerDatabase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := openIn(t, dir)
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`); err != nil {
		t.Fatal(err)
	}
	file := backedUp(t, dir)
	_, _, err := Restore(t.Context(), Restoration{From: bytes.NewReader(file), Dir: filepath.Join(t.TempDir(), "to")})
	if !errors.Is(err, ErrBackupNewer) || !strings.Contains(err.Error(), "schema 9999") {
		t.Errorf("restore: %v", err)
	}
}
