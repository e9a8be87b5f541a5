package web

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"lockstep/sizing/catalog"
)

// TestCatalogIsOpen: everyone reads the catalogue, own entries last.
func TestCatalogIsOpen(t *testing.T) {
	c := newConsole(t)
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range catalog.Kinds() {
		answer := c.get("/api/v1/catalog/" + string(kind))
		wantStatus(t, string(kind), answer, http.StatusOK)
		var listing catalog.Listing
		if err := json.Unmarshal([]byte(body(t, answer)), &listing); err != nil || listing.Version != 1 {
			t.Errorf("%s: version %d, %v", kind, listing.Version, err)
		}
	}
	wantStatus(t, "cars", c.get("/api/v1/catalog/cars"), http.StatusUnprocessableEntity)

	own, err := known.Read(catalog.Models, []byte(`{"id": "ours", "name": "Ours", "kind": "cnn", "total_params": 25000000, "source": "ours", "basis": "measured"}`))
	if err != nil {
		t.Fatal(err)
	}
	own.Changed = time.UnixMilli(1)
	if err := c.db.Entries().Save(t.Context(), own, false); err != nil {
		t.Fatal(err)
	}
	var listing catalog.Listing
	if err := json.Unmarshal([]byte(body(t, c.get("/api/v1/catalog/models"))), &listing); err != nil {
		t.Fatal(err)
	}
	if last := listing.Models[len(listing.Models)-1]; last.ID != "ours" || !last.Own || len(listing.Models) != len(known.Models)+1 {
		t.Errorf("%d models, the last is %+v", len(listing.Models), last)
	}
}
