package present

import (
	"lockstep/sizing/catalog"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
)

// What the fields with choices take, as addresses spell it.

func sizeModelIDs(known *catalog.Catalog) []string {
	var ids []string
	for _, m := range known.Models {
		if sizeCount(m) > 0 {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

func sizeSystemIDs(known *catalog.Catalog) []string {
	var ids []string
	for _, s := range known.Systems {
		ids = append(ids, s.ID)
	}
	return ids
}

func sizeLinkKeys(known *catalog.Catalog) []string {
	var keys []string
	for _, l := range site.Links(known) {
		keys = append(keys, l.Key)
	}
	return keys
}

func keptNames(kept []measured.Kept) []string {
	var names []string
	for _, k := range kept {
		names = append(names, k.Name)
	}
	return names
}
