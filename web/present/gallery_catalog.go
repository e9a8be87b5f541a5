package present

import (
	"net/url"

	"lockstep/sizing/catalog"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/web/account"
)

// galleryCatalog fills in what the pages of the catalogue are made of: own
// entries beside carried ones, one that cannot be used, a form with flaws.
func galleryCatalog(f Frame, g *views.Gallery, desk site.Desk) error {
	f.Session, f.Actor = true, account.Actor{Name: "ada", Role: account.Presenter, Via: account.ByPassword}
	entry, err := desk.Known.Read(catalog.Accelerators, []byte(`{"id": "npu-x1", "name": "NPU X1", "memory_gb": 96, "memory_bandwidth_gbytes_per_s": 3200,
		"bf16_dense_tflops": 640, "source": "data sheet", "basis": "stated", "unverified_fields": ["bf16_dense_tflops"]}`))
	if err != nil {
		return err
	}
	entry.By, entry.Changed = "ada", galleryMoment()
	old := catalog.Entry{Kind: catalog.Accelerators, ID: "h100-sxm5", Document: entry.Document}
	own := []catalog.Entry{entry, old}
	stock := Stock{Known: desk.Known.With(own), Own: own, Takes: true}
	g.Overview = f.catalogOverview(stock.Known, true)
	if g.Catalog, err = Catalog(f, stock, CatalogAsk{Kind: catalog.Accelerators, Query: "x"}); err != nil {
		return err
	}
	for i, group := range g.Catalog.Groups {
		g.Catalog.Groups[i].Rows = group.Rows[:min(len(group.Rows), 3)]
	}
	form := ReadEntryForm(catalog.Systems, "", url.Values{
		"name": {"Lab node"}, "nic_gbits_per_s_each": {"400G"}, "accelerator": {"gone"}, "paste": {"{"}, "unverified_fields": {"nics_per_node"},
	}, "")
	text, err := form.Document()
	if err != nil {
		return err
	}
	_, form.Err = stock.Known.Read(catalog.Systems, text)
	g.Entry = CatalogForm(f, form, stock.Known)
	return nil
}
