package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lockstep/sizing/catalog"
	"lockstep/web/account"
)

const catalogConfig = `{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
	"num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "tie_word_embeddings": false}`

// has fails the test unless the page has the texts.
func has(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", what, want)
		}
	}
}

func TestCatalogPagesShowEveryEntry(t *testing.T) {
	c := newConsole(t)
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"zh", "en"} {
		has(t, "catalog", body(t, c.get("/"+lang+"/catalog")), "/"+lang+"/catalog/models", "/"+lang+"/catalog/fabrics")
		for _, kind := range catalog.Kinds() {
			page := "/" + lang + "/catalog/" + string(kind)
			answer := c.get(page)
			wantStatus(t, page, answer, http.StatusOK)
			text := body(t, answer)
			for _, s := range known.Sheets(kind) {
				has(t, page, text, `id="entry-of-`+s.ID+`"`)
			}
			for _, name := range []string{"entry.", "catalog.col", "catalog.doubt.", "<no value>"} {
				if strings.Contains(text, ">"+name) || strings.Contains(text, "\t"+name) {
					t.Errorf("%s shows the name of a message: %s", page, name)
				}
			}
		}
	}
	wantStatus(t, "cars", c.get("/en/catalog/cars"), http.StatusNotFound)
	has(t, "filter", body(t, c.get("/en/catalog/systems?q=H100+dgx")), `id="entry-of-dgx-h100"`, "/en/size?system=dgx-h100", "of 66 entries")
	has(t, "no answer", body(t, c.get("/en/catalog/systems?q=%3Cpigeon%3E")), "No entry has", "&lt;pigeon&gt;")
}

// TestOwnEntriesComeAndGo: what somebody fills in is kept, shown, changed and
// removed, and each change is in the audit log.
func TestOwnEntriesComeAndGo(t *testing.T) {
	c := newConsole(t)
	session := c.enterAs(t, account.Presenter)
	form := url.Values{
		"id": {"npu-x1"}, "name": {"NPU X1"}, "memory_gb": {"96 GB"}, "memory_bandwidth_gbytes_per_s": {"3,200"}, "bf16_dense_tflops": {"６40"},
		"source": {"data sheet"}, "basis": {"stated"}, "unverified_fields": {"bf16_dense_tflops"}, "as": {"save"},
	}
	const all = "/en/catalog/accelerators"
	wantRedirect(t, "save", c.post(all+"/new", form, session), http.StatusSeeOther, all+"?saved=npu-x1#entry-of-npu-x1")
	has(t, "saved", body(t, c.get(all+"?saved=npu-x1", session)), "Saved: NPU X1", "catalog-entry fresh", "96 GB", "3200 GB/s", "640 TFLOP/s", "In doubt", "/npu-x1/remove")

	again := c.post(all+"/new", form, session)
	wantStatus(t, "save twice", again, http.StatusUnprocessableEntity)
	has(t, "save twice", body(t, again), "npu-x1 is another entry already", `value="96 GB"`)

	has(t, "edit", body(t, c.get(all+"/npu-x1/edit", session)), `value="96"`, "readonly")
	form.Set("memory_gb", "128")
	form.Set("id", "npu-x2") // the address counts
	wantRedirect(t, "change", c.post(all+"/npu-x1/edit", form, session), http.StatusSeeOther, all+"?saved=npu-x1#entry-of-npu-x1")
	has(t, "changed", body(t, c.get(all)), "128 GB")

	system := url.Values{
		"id": {"lab"}, "name": {"Lab"}, "accelerator": {"npu-x1"}, "accelerators_per_node": {"8"}, "scaleup_domain_size": {"8"}, "nics_per_node": {"8"},
		"nic_gbits_per_s_each": {"200"}, "nic_type": {"RoCE"}, "source": {"offer"}, "basis": {"assumed"}, "as": {"save"},
	}
	wantStatus(t, "save a system", c.post("/en/catalog/systems/new", system, session), http.StatusSeeOther)
	has(t, "size", body(t, c.get("/en/size?system=lab")), `<option value="lab" selected>`)
	kept := c.post(all+"/npu-x1/remove", nil, session)
	wantStatus(t, "remove what is in use", kept, http.StatusConflict)
	has(t, "remove what is in use", body(t, kept), "made of it", "/en/catalog/systems#entry-of-lab")
	has(t, "ask", body(t, c.get("/en/catalog/systems/lab/remove", session)), "Remove the system lab?")
	wantRedirect(t, "remove", c.post("/en/catalog/systems/lab/remove", nil, session), http.StatusSeeOther, "/en/catalog/systems?removed=lab")
	wantStatus(t, "remove twice", c.post("/en/catalog/systems/lab/remove", nil, session), http.StatusNotFound)
	wantStatus(t, "remove a carried one", c.get("/en/catalog/systems/dgx-h100/remove", session), http.StatusNotFound)
	if n := len(c.entries(t, account.AuditFilter{Action: account.SaveEntry})); n != 3 {
		t.Errorf("%d entries of saving in the audit log, want 3", n)
	}
	if n := len(c.entries(t, account.AuditFilter{Action: account.RemoveEntry})); n != 1 {
		t.Errorf("%d entries of removing in the audit log, want 1", n)
	}
}

func TestWrongEntriesComeBackAsTheyWereTyped(t *testing.T) {
	c := newConsole(t)
	session := c.enterAs(t, account.Presenter)
	form := url.Values{
		"id": {"Lab Node"}, "name": {"<Lab>"}, "accelerator": {"gone"}, "accelerators_per_node": {"eight"}, "nic_gbits_per_s_each": {"400G"},
		"notes": {"two\nlines"}, "unverified_fields": {"nics_per_node", "nonsense"}, "as": {"save"},
	}
	for lang, wants := range map[string][]string{
		"en": {"Not saved yet", "Lab Node cannot be an ID", "The catalogue has no gone", "eight cannot be read", "400G cannot be read", "Not given."},
		"zh": {"还没有保存", "不能作 ID", "目录里没有“gone”", "填的是“eight”", "填的是“400G”", "还没填"},
	} {
		answer := c.post("/"+lang+"/catalog/systems/new", form, session)
		wantStatus(t, lang, answer, http.StatusUnprocessableEntity)
		text := body(t, answer)
		has(t, lang, text, wants...)
		has(t, lang, text, `value="Lab Node"`, `value="&lt;Lab&gt;"`, `value="eight"`, `value="400G"`, "two\nlines", `<option value="gone" selected>`,
			`value="nics_per_node" checked`, `href="#entry-nic_type"`, `aria-invalid="true"`)
	}
}

// TestModelsAreReadFromTheirConfig: a config.json fills the form, as a text and
// as a file, and nothing is saved by that.
func TestModelsAreReadFromTheirConfig(t *testing.T) {
	c := newConsole(t)
	session := c.enterAs(t, account.Presenter)
	const page = "/en/catalog/models/new"
	read := body(t, c.post(page, url.Values{"paste": {catalogConfig}, "name": {"Ours"}, "as": {"read"}}, session))
	has(t, "text", read, "8.03 billion (8,030,261,248) parameters", `value="Ours"`, `value="4096"`, `<option value="rope" selected>`)

	var sent bytes.Buffer
	w := multipart.NewWriter(&sent)
	part, err := w.CreateFormFile("file", "config.json")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(strings.Replace(catalogConfig, "llama", "strange", 1)))
	_ = w.WriteField("as", "read")
	_ = w.Close()
	upload := func(r *http.Request) {
		posted := httptest.NewRequest(r.Method, page, bytes.NewReader(sent.Bytes()))
		r.Body, r.ContentLength = posted.Body, posted.ContentLength
		r.Header.Set("Content-Type", w.FormDataContentType())
	}
	has(t, "file", body(t, c.do(http.MethodPost, page, upload, session)), "The architecture &#34;strange&#34; is not known", `value="4096"`)

	for paste, want := range map[string]string{
		"":                                "Nothing was pasted",
		"{":                               "no JSON object",
		`{"model_type": "llama"}`:         "lacks hidden_size",
		`{"model_type": "bert"}`:          "is no decoder",
		strings.Repeat("x", 70_000):       "No entry is as long",
		`{"architectures": ["X"]}`:        "no model_type",
		`[1, 2]`:                          "no JSON object",
		`{"model_type": "\u003cb\u003e"}`: "&lt;b&gt;",
	} {
		form := url.Values{"paste": {paste}, "source": {"kept"}, "as": {"read"}}
		text := body(t, c.post(page, form, session))
		has(t, paste[:min(len(paste), 20)], text, want, "kept")
	}
	own, err := c.db.Entries().List(t.Context())
	if err != nil || len(own) != 0 {
		t.Errorf("%d entries were saved, %v", len(own), err)
	}
	form := url.Values{"id": {"ours"}, "name": {"Ours"}, "kind": {"decoder"}, "total_params": {"70B"}, "source": {"card"}, "basis": {"stated"}, "as": {"save"}}
	wantStatus(t, "save", c.post(page, form, session), http.StatusSeeOther)
	has(t, "saved", body(t, c.get("/en/catalog/models")), "70 billion")
}

// TestCatalogIsHeldUntilItChanges: the merged catalogue is the same one until
// somebody changes an own entry, be it in another process.
func TestCatalogIsHeldUntilItChanges(t *testing.T) {
	carried, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	entry := func(name string) catalog.Entry {
		e, err := carried.Read(catalog.Models, []byte(`{"id": "ours", "name": "`+name+`", "kind": "cnn", "total_params": 25000000, "source": "ours", "basis": "measured"}`))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	var h heldCatalog
	first := h.with(carried, []catalog.Entry{entry("one")})
	if h.with(carried, []catalog.Entry{entry("one")}) != first {
		t.Error("the same entries are merged again")
	}
	if s, _ := h.with(carried, []catalog.Entry{entry("two")}).Sheet(catalog.Models, "ours"); s.Name != "two" {
		t.Errorf("after a change the entry is %q", s.Name)
	}
	if _, found := h.with(carried, nil).Sheet(catalog.Models, "ours"); found {
		t.Error("a removed entry is still there")
	}
}
