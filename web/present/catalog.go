package present

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Stock is the catalogue as it stands, and whether it takes own entries.
type Stock struct {
	Known *catalog.Catalog
	Own   []catalog.Entry
	Takes bool
}

// CatalogAsk is which part of the catalogue somebody wants to see.
type CatalogAsk struct {
	Kind    catalog.Kind // empty for all
	Query   string       // words that entries have to have
	Saved   string       // ID of the entry that was just saved
	Removed string       // ID of the entry that was just removed
}

const (
	catalogPath  = "catalog"
	maxCatalog   = 200 // entries of a table; a filter finds the rest
	maxQuery     = 100 // characters of a filter
	entryAnchor  = "entry-of-"
	ownAnchor    = "own"
	othersAnchor = "carried"
)

// Catalog presents the catalogue, or the part of it that is asked for.
func Catalog(f Frame, stock Stock, ask CatalogAsk) (views.Catalog, error) {
	l := f.Locale
	f.Section = "size"
	v := views.Catalog{Kinds: f.catalogKinds(ask.Kind)}
	may := stock.Takes && !f.Barred(account.Presenter)
	if ask.Kind == "" {
		v.Title, v.Other, v.Lead = l.T("catalog.title"), f.Other.T("catalog.title"), l.T("catalog.lead")
		v.Overview = f.catalogOverview(stock.Known, may)
		v.How = []string{l.T("catalog.how.stated"), l.T("catalog.how.doubt"), l.T("catalog.how.units")}
		v.Page = f.page(v.Title)
		return v, nil
	}
	v.Title, v.Other, v.Lead = entryTerm(l, "kind."+string(ask.Kind)), entryTerm(f.Other, "kind."+string(ask.Kind)), entryTerm(l, "kind."+string(ask.Kind)+".what")
	v.Page = f.page(v.Title)
	if may {
		v.Add = &views.CatalogLink{Name: l.T(addMessages[ask.Kind]), URL: f.catalogURL(ask.Kind) + "/new"}
	}
	ask.Query = cut(strings.TrimSpace(strings.ToValidUTF8(ask.Query, "")), maxQuery)
	all := stock.Known.Sheets(ask.Kind)
	found := slices.DeleteFunc(slices.Clone(all), func(s catalog.Sheet) bool { return !s.Has(ask.Query) })
	v.Done = f.catalogDone(stock.Known, ask)
	v.Filter = &views.CatalogFilter{URL: f.catalogURL(ask.Kind), Value: ask.Query}
	if ask.Query != "" {
		v.Filter.Clear = f.catalogURL(ask.Kind)
		values := locale.Values{"Query": ask.Query, "Found": len(found), "All": len(all)}
		v.Filter.Says = l.T("catalog.filtered", values)
		if len(found) == 0 {
			v.Filter.Says = l.T("catalog.none", values)
			return v, nil
		}
	}
	v.Unusable = f.catalogBroken(stock, ask.Kind, may)
	own := slices.DeleteFunc(slices.Clone(found), func(s catalog.Sheet) bool { return !s.Own })
	carried := slices.DeleteFunc(found, func(s catalog.Sheet) bool { return s.Own })
	for _, part := range []struct {
		id, title, none string
		sheets          []catalog.Sheet
	}{{ownAnchor, "catalog.own", "catalog.own.none", own}, {othersAnchor, "catalog.carried", "", carried}} {
		if len(part.sheets) == 0 && (part.none == "" || ask.Query != "" || !may) {
			continue
		}
		g := views.CatalogGroup{ID: part.id, Title: l.T(part.title), Count: strconv.Itoa(len(part.sheets)), Heads: catalogHeads(l, ask.Kind)}
		if len(part.sheets) == 0 {
			g.Text, g.Count = l.T(part.none), ""
		}
		if len(part.sheets) > maxCatalog {
			part.sheets = part.sheets[:maxCatalog]
			g.Text = l.T("catalog.more", locale.Values{"Shown": maxCatalog})
		}
		for _, s := range part.sheets {
			row, err := f.catalogRow(stock, s, may)
			if err != nil {
				return v, err
			}
			row.Fresh = s.Own && s.ID == ask.Saved
			g.Rows = append(g.Rows, row)
		}
		v.Groups = append(v.Groups, g)
	}
	return v, nil
}

// addMessages name the buttons that add an entry.
var addMessages = map[catalog.Kind]string{
	catalog.Models: "catalog.add.models", catalog.Systems: "catalog.add.systems",
	catalog.Accelerators: "catalog.add.accelerators", catalog.Fabrics: "catalog.add.fabrics",
}

// entryTerm is a term about entries: a field, a word of one, a kind.
func entryTerm(l locale.Locale, key string) string { return l.T("entry." + key) }

// catalogURL is the page of a kind, or of all.
func (f Frame) catalogURL(k catalog.Kind) string {
	if k == "" {
		return f.homeURL() + catalogPath
	}
	return f.homeURL() + catalogPath + "/" + string(k)
}

// EntryURL is where an entry stands.
func (f Frame) EntryURL(k catalog.Kind, id string) string {
	return f.catalogURL(k) + "#" + entryAnchor + id
}

// EntryAnchor is the anchor of an entry on the page of its kind.
func EntryAnchor(id string) string { return entryAnchor + id }

// catalogKinds leads to all kinds and to each.
func (f Frame) catalogKinds(current catalog.Kind) []views.Section {
	all := []views.Section{{Name: f.Locale.T("catalog.title"), URL: f.catalogURL(""), Current: current == ""}}
	for _, k := range catalog.Kinds() {
		all = append(all, views.Section{Name: entryTerm(f.Locale, "kind."+string(k)), URL: f.catalogURL(k), Current: k == current})
	}
	return all
}

// catalogOverview counts the entries of each kind, own ones and doubtful ones.
func (f Frame) catalogOverview(known *catalog.Catalog, may bool) []views.CatalogPart {
	var all []views.CatalogPart
	for _, k := range catalog.Kinds() {
		sheets := known.Sheets(k)
		own, doubtful := 0, 0
		for _, s := range sheets {
			if s.Own {
				own++
			}
			if len(f.catalogDoubts(s)) > 0 {
				doubtful++
			}
		}
		part := views.CatalogPart{
			Name: entryTerm(f.Locale, "kind."+string(k)), URL: f.catalogURL(k), What: entryTerm(f.Locale, "kind."+string(k)+".what"),
			Entries: strconv.Itoa(len(sheets)), Own: strconv.Itoa(own), Doubts: strconv.Itoa(doubtful),
		}
		if may {
			part.Add = views.CatalogLink{Name: f.Locale.T(addMessages[k]), URL: f.catalogURL(k) + "/new"}
		}
		all = append(all, part)
	}
	return all
}

// catalogDone says what has just been done, if what the address says is so.
func (f Frame) catalogDone(known *catalog.Catalog, ask CatalogAsk) string {
	if s, found := known.Sheet(ask.Kind, ask.Saved); found && s.Own {
		return f.Locale.T("catalog.saved", locale.Values{"Name": s.Name})
	}
	if _, found := known.Sheet(ask.Kind, ask.Removed); ask.Removed != "" && !found {
		return f.Locale.T("catalog.removed", locale.Values{"Name": cut(strings.ToValidUTF8(ask.Removed, ""), maxQuery)})
	}
	return ""
}

// catalogBroken are the own entries of a kind that cannot be used now.
func (f Frame) catalogBroken(stock Stock, k catalog.Kind, may bool) []views.CatalogBroken {
	var all []views.CatalogBroken
	for _, u := range stock.Known.Unusable {
		if u.Kind != k {
			continue
		}
		b := views.CatalogBroken{Name: u.ID, Why: f.entryFlaws(u.Err)}
		if may && f.Session {
			b.Change = f.catalogChange(k, u.ID)
		}
		all = append(all, b)
	}
	return all
}

// catalogChange is what may be done to an own entry.
func (f Frame) catalogChange(k catalog.Kind, id string) []views.CatalogLink {
	at := f.catalogURL(k) + "/" + id
	return []views.CatalogLink{
		{Name: f.Locale.T("catalog.edit"), URL: at + "/edit"},
		{Name: f.Locale.T("catalog.remove"), URL: at + "/remove", Grave: true},
	}
}
