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

// TestProgramsKeepOwnEntries: what goes in comes back as the list has it, what
// cannot be is said for each key, and each answer is one that is described.
func TestProgramsKeepOwnEntries(t *testing.T) {
	p := newProgrammer(t)
	const route, one = "/catalog/{kind}", "/catalog/{kind}/{id}"
	for _, kind := range catalog.Kinds() {
		p.want(p.ask("stranger GET", route, "/catalog/"+string(kind), ""), http.StatusOK, `"version":1`)
	}
	const card = `{"id": "npu-x1", "name": "NPU X1", "memory_gb": 96, "memory_bandwidth_gbytes_per_s": 3200, "bf16_dense_tflops": 640, "source": "sheet", "basis": "stated"}`
	const node = `{"id": "lab", "name": "Lab", "accelerator": "npu-x1", "accelerators_per_node": 8, "scaleup_domain_size": 8, "nics_per_node": 8,
		"nic_gbits_per_s_each": 200, "nic_type": "RoCE", "source": "offer", "basis": "assumed"}`
	p.want(p.ask("stranger POST", route, "/catalog/accelerators", card), http.StatusUnauthorized)
	p.want(p.ask("POST", route, "/catalog/systems", node), http.StatusUnprocessableEntity, `"/accelerator"`, "none of the accelerators")
	p.want(p.ask("POST", route, "/catalog/accelerators", card), http.StatusCreated, `"accelerators":[{"id":"npu-x1"`, `"own":true`)
	p.want(p.ask("POST", route, "/catalog/accelerators", card), http.StatusConflict, "replace=true")
	p.want(p.ask("POST", route, "/catalog/accelerators?replace=true", card), http.StatusCreated)
	p.want(p.ask("POST", route, "/catalog/systems", node), http.StatusCreated, `"nic_gbits_per_s_total":1600`)
	p.want(p.ask("POST", route, "/catalog/models?id=ours&name=Ours", catalogConfig), http.StatusCreated, `"computed_params":8030261248`)
	p.want(p.ask("POST", route, "/catalog/models", `{"model_type": "bert"}`), http.StatusUnprocessableEntity, "no decoder")
	p.want(p.ask("POST", route, "/catalog/models", `[1]`), http.StatusUnprocessableEntity, "one")
	p.want(p.ask("POST", route, "/catalog/models", `{`), http.StatusBadRequest, "no JSON")
	p.want(p.ask("POST", route, "/catalog/cars", card), http.StatusUnprocessableEntity, "accepted: models")
	p.want(p.ask("DELETE", one, "/catalog/accelerators/npu-x1", ""), http.StatusConflict, "lab")
	answer := p.console.do(http.MethodDelete, apiRoot+"/catalog/systems/lab", p.session)
	wantStatus(t, "remove", answer, http.StatusNoContent)
	p.want(p.ask("DELETE", one, "/catalog/systems/lab", ""), http.StatusNotFound)
}
