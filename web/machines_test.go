package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	evidence "lockstep/sizing/measured"
	"lockstep/sizing/site"
	"lockstep/store"
	"lockstep/web/account"
)

// slowLab keeps a log of two nodes of a system that takes twice as long as the
// model has it, under a name with a blank in it.
func slowLab(t *testing.T, db *store.Store) {
	t.Helper()
	desk, err := site.OpenDesk()
	if err != nil {
		t.Fatal(err)
	}
	where, err := site.Describe(desk.Known, site.Ask{System: "dgx-h100", Nodes: 2})
	if err != nil {
		t.Fatal(err)
	}
	table := evidence.KeptTable{File: "<a>.txt", Collective: schedule.AllReduce, GPU: "H100 SXM", InterLink: where.Network, InterGbps: 3200, Ranks: 16, Nodes: 2, PerNode: 8}
	for size := unit.Bytes(1 << 10); size <= 8<<30; size *= 4 {
		table.Rows = append(table.Rows, evidence.KeptRow{Size: size, Time: 2 * desk.Library.Price(where.Case(schedule.AllReduce, size)).Time})
	}
	lab := evidence.Kept{Version: 1, Name: "lab 东", Made: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), By: "ada", Tables: []evidence.KeptTable{table}}
	if err := db.Machines().Save(t.Context(), lab); err != nil {
		t.Fatal(err)
	}
}

const labAddress = "lab%20%E4%B8%9C"

func TestMachinesAreListedAndRemoved(t *testing.T) {
	c := newConsole(t)
	c.addUser(t, "shows", account.Presenter)
	c.addUser(t, "looks", account.Viewer)
	presenter, viewer := c.logIn(t, "shows"), c.logIn(t, "looks")
	for _, lang := range []string{"zh", "en"} {
		if page := body(t, c.get("/"+lang+"/machines", viewer)); strings.Contains(page, "<article") {
			t.Errorf("%s: a machine is listed before one is kept", lang)
		}
	}
	slowLab(t, c.db)
	for _, lang := range []string{"zh", "en"} {
		page := body(t, c.get("/"+lang+"/machines", presenter))
		for _, want := range []string{"lab 东", "ada", "2026-12-01 12:00 UTC", "H100 SXM", "&lt;a&gt;.txt", "50%", "system=dgx-h100", "machine=lab", "/machines/" + labAddress + "/remove"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %s on the page", lang, want)
			}
		}
		if page := body(t, c.get("/"+lang+"/machines", viewer)); strings.Contains(page, "/remove") {
			t.Errorf("%s: a viewer is offered to remove", lang)
		}
	}
	wantStatus(t, "a viewer asks", c.get("/en/machines/"+labAddress+"/remove", viewer), http.StatusForbidden)
	if page := body(t, c.get("/en/machines/"+labAddress+"/remove", presenter)); !strings.Contains(page, `method="post"`) || !strings.Contains(page, "lab 东") {
		t.Error("nobody asks before a machine is removed")
	}
	wantStatus(t, "one that is not there", c.get("/en/machines/none/remove", presenter), http.StatusNotFound)
	wantStatus(t, "one that is not there", c.post("/en/machines/none/remove", url.Values{}, presenter), http.StatusNotFound)
	wantRedirect(t, "remove", c.post("/en/machines/"+labAddress+"/remove", url.Values{}, presenter), http.StatusSeeOther, "/en/machines")
	if kept, err := c.db.Machines().List(t.Context()); err != nil || len(kept) != 0 {
		t.Errorf("%d machines, %v", len(kept), err)
	}
	entries := c.entries(t, account.AuditFilter{Action: account.RemoveMachine})
	if len(entries) != 1 || entries[0].Who != "shows" || entries[0].Target != "lab 东" || entries[0].Outcome != account.Allowed {
		t.Errorf("%+v", entries)
	}
}

// What rests on a log says so, and strangers learn nothing of machines.
func TestSizeRestsOnAMachine(t *testing.T) {
	c := newConsole(t)
	in := c.enter(t)
	const query = "system=dgx-h100&nodes=2&compute=10"
	if page := body(t, c.get("/en/size?"+query, in)); strings.Contains(page, `name="machine"`) {
		t.Error("machines can be chosen where none is kept")
	}
	slowLab(t, c.db)
	for lang, words := range map[string][]string{"zh": {"按机器「lab 东」自己的日志", "换了网络就没有日志可依", "厂商库，按「lab 东」的日志"}, "en": {"by the own log of machine", "Nobody has measured the machine on another network", "by the log of lab 东"}} {
		plain := body(t, c.get("/"+lang+"/size?"+query, in))
		own := body(t, c.get("/"+lang+"/size?"+query+"&machine="+labAddress, in))
		stranger := body(t, c.get("/"+lang+"/size?"+query+"&machine="+labAddress))
		for _, w := range words {
			if strings.Contains(plain, w) || !strings.Contains(own, w) || strings.Contains(stranger, w) {
				t.Errorf("%s: %q is said in the wrong place", lang, w)
			}
		}
		if !strings.Contains(plain, `name="machine"`) || strings.Contains(stranger, `value="lab 东"`) || !strings.Contains(own, `machine=`+strings.ReplaceAll(labAddress, "%20", "+")) {
			t.Errorf("%s: the choice or the address is wrong", lang)
		}
		other := body(t, c.get("/"+lang+"/size?"+query+"&nics=4&machine="+labAddress, in))
		if strings.Contains(other, words[1]) || !strings.Contains(other, "callout warn") {
			t.Errorf("%s: half of the NICs rest on the log, or nobody says that they do not", lang)
		}
	}
}

// A report stands when the machine is gone.
func TestAReportKeepsWhatAMachineSaid(t *testing.T) {
	c := newConsole(t)
	in := c.enter(t)
	slowLab(t, c.db)
	form := articleReport("with a log")
	for name, value := range map[string]string{"system": "dgx-h100", "nodes": "2", "per_node": "", "fabric": "", "machine": "lab 东"} {
		form.Set(name, value)
	}
	wantRedirect(t, "save", c.post("/en/reports", form, in), http.StatusSeeOther, "/en/reports/0001/v/1")
	before := body(t, c.get("/en/reports/0001/v/1", in))
	if !strings.Contains(before, "by the log of lab 东") || !strings.Contains(before, "kept 2026-12-01 12:00 UTC") {
		t.Error("the report does not say that it rests on a log")
	}
	if err := c.db.Machines().Remove(t.Context(), "lab 东"); err != nil {
		t.Fatal(err)
	}
	if after := body(t, c.get("/en/reports/0001/v/1", in)); after != before {
		t.Error("the report has changed with the machine's removal")
	}
	wantStatus(t, "sized anew", c.get("/en/size?system=dgx-h100&nodes=2&machine="+labAddress, in), http.StatusOK)
}

func TestAPIOfMachines(t *testing.T) {
	p := newProgrammer(t)
	p.want(p.ask("GET", "/machines", "/machines", ""), 200, `{"version":1,"machines":[]}`)
	slowLab(t, p.floor.db)
	p.want(p.ask("GET", "/machines", "/machines", ""), 200, `"name":"lab 东"`, `"rows":[{"size_bytes":1024`)
	p.want(p.ask("GET", "/machines/{name}", "/machines/"+labAddress, ""), 200, `"compared":[{"collective":"all-reduce"`, `"before_us"`)
	p.want(p.ask("GET", "/machines/{name}", "/machines/none", ""), 404, "no such machine")
	p.want(p.ask("DELETE", "/machines/{name}", "/machines/"+labAddress, ""), 200, `"machines":[]`)
	p.want(p.ask("DELETE", "/machines/{name}", "/machines/"+labAddress, ""), 404, "no such machine")
	if entries := p.console.entries(t, account.AuditFilter{Action: account.RemoveMachine}); len(entries) != 1 || entries[0].Target != "lab 东" {
		t.Errorf("%+v", entries)
	}
}
