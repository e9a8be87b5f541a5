package inventory

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"path"
	"strings"
)

// The linker's cache in the format of glibc 2.2 and later (sysdeps/generic/
// dl-cache.h): a header, entries, and the texts that both point into.
const (
	cacheMagic   = "glibc-ld.so.cache1.1"
	cacheHeader  = 48
	cacheEntry   = 24
	maxCache     = 16 << 20
	maxCacheRows = 1 << 16
)

// readCache lists the files that the linker's cache knows, in its order: what
// `ldconfig -p` prints, read from where it reads it. A system without glibc
// has none.
func readCache(root fs.FS) []string {
	content, err := fs.ReadFile(root, "etc/ld.so.cache")
	if err != nil || len(content) > maxCache {
		return nil
	}
	// Older systems put the format of libc 5 in front.
	start := bytes.Index(content, []byte(cacheMagic))
	if start < 0 || len(content)-start < cacheHeader {
		return nil
	}
	content = content[start:]
	order := binary.NativeEndian
	rows := order.Uint32(content[len(cacheMagic):])
	if rows > maxCacheRows {
		return nil
	}
	text := func(at uint32) string {
		if uint64(at) >= uint64(len(content)) {
			return ""
		}
		rest := content[at:]
		end := bytes.IndexByte(rest, 0)
		if end < 0 {
			return ""
		}
		return string(rest[:end])
	}
	var files []string
	for row := range rows {
		at := cacheHeader + int(row)*cacheEntry
		if at+cacheEntry > len(content) {
			break
		}
		// flags, key (the name), value (the file), version of the system,
		// capabilities of the processor.
		if file := text(order.Uint32(content[at+8:])); path.IsAbs(file) {
			files = append(files, strings.TrimPrefix(path.Clean(file), "/"))
		}
	}
	return files
}
