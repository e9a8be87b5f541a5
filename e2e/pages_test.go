package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// page is a page without its language.
type page struct {
	name    string // for pictures
	path    string
	failing bool   // the page is an error itself
	session bool   // seen with a session
	then    string // a script that leads on, such as one that sends a form: where it leads to is the page
}

// keepLog keeps the log on the page Diagnose as a machine and goes on to an
// address below the language.
func keepLog(next string) string {
	return fmt.Sprintf(`void (async () => {
		const form = document.getElementById("diagnose-form"), brought = new FormData(form);
		brought.set("machine", "lab");
		brought.set("as", "keep");
		await fetch(form.action, {method: "POST", body: brought});
		location = %q;
	})()`, next)
}

// show opens a page and goes where it leads.
func (p *tab) show(language string, page page) {
	p.t.Helper()
	p.open("/"+language+page.path, page.failing)
	if page.then == "" {
		return
	}
	p.waitFor(`"installed" in document.documentElement.dataset`)
	evaluate[bool](p, `window.leaving = true; `+page.then+`; true`)
	p.waitAcross(`!window.leaving && document.readyState === "complete"`)
}

// pages are all pages there are, in each state that looks different.
var pages = []page{
	{name: "home", path: "/", session: true},
	{name: "home-closed", path: "/"},
	{name: "race", path: "/learn/race"},
	{name: "race-many", path: "/learn/race?n=40&size=1kB&net=ib-400g&t=nonsense"},
	{name: "race-present", path: "/learn/race?t=14.5&present=1"},
	{name: "central-server", path: "/learn/central-server"},
	{name: "central-server-wrong", path: "/learn/central-server?workers=many&params=0&back=1&rate=25GB/s"},
	{name: "why", path: "/learn/why"},
	{name: "why-wrong", path: "/learn/why?k=99&params=many&workers=1&bytes=2&net=pigeon&compute=0.5"},
	{name: "topology", path: "/learn/topology"},
	{name: "topology-many", path: "/learn/topology?nodes=16&G=4&nics=8&over=4&across=100Gb/s"},
	{name: "topology-wrong", path: "/learn/topology?nodes=2&G=99&nics=none&inside=fast&size=1kB"},
	{name: "libraries", path: "/learn/libraries"},
	{name: "libraries-nccl", path: "/learn/libraries?topic=nccl&at=nccl-2-0"},
	{name: "bandwidth", path: "/learn/bandwidth"},
	{name: "bandwidth-wrong", path: "/learn/bandwidth?collective=all-gather&n=many&size=1GiB&measured=400G&wire=1Gb/s"},
	{name: "customer", path: "/learn/customer"},
	{name: "about", path: "/about"},
	{name: "nodes", path: "/nodes", session: true},
	{name: "runs-empty", path: "/runs", session: true},
	{name: "run-new", path: "/runs/new", session: true},
	{name: "run-new-scatter", path: "/runs/new?collective=scatter&algorithm=binomial-tree&root=2&n=4&size=1000001", session: true},
	{name: "run-new-barrier", path: "/runs/new?collective=barrier&n=4", session: true},
	{name: "run-new-notes", path: "/runs/new?collective=juggle&n=99&size=1001&pace=none", session: true},
	{name: "sweeps-empty", path: "/runs/compare", session: true},
	{name: "sweeps-wrong", path: "/runs/compare", session: true, failing: true, then: `for (const [name, value] of [["n", "99"], ["from", "64M"], ["to", "5"], ["factor", "x1"]]) document.querySelector("[name=" + name + "]").value = value; document.querySelector(".sweepform .primary").click()`},
	{name: "run-new-mpi", path: "/runs/new?backend=mpi&algorithm=library&dtype=bfloat16&pace=step", session: true},
	{name: "login", path: "/login"},
	{name: "login-refused", path: "/?key=mistyped", failing: true},
	{name: "not-found", path: "/nowhere", failing: true},
	{name: "learn", path: "/learn"},
	{name: "learn-found", path: "/learn?q=%E5%BD%92%E7%BA%A6"},
	{name: "learn-none", path: "/learn?q=qqqq"},
	{name: "words", path: "/learn/words"},
	{name: "path", path: "/learn/paths/customer"},
	{name: "labs", path: "/learn/labs"},
	{name: "lab", path: "/learn/labs/central-ring?answer=1"},
	{name: "lab-closed", path: "/learn/labs/exchange"},
	{name: "lesson", path: "/learn/all-reduce/ring?step=5"},
	{name: "lesson-ask", path: "/learn/all-reduce/ring?step=5&ask=next&who=3"},
	{name: "lesson-ask-right", path: "/learn/all-reduce/ring?n=4&step=2&ask=next&who=0&block=1&to=1"},
	{name: "lesson-ask-wrong", path: "/learn/scatter/binomial-tree?n=8&ask=waits&guess=1&guess=4"},
	{name: "lesson-ask-nobody", path: "/learn/all-reduce/ring?n=8&step=1&ask=waits&guess=2"},
	{name: "lesson-notes", path: "/learn/all-reduce/hierarchical?n=abc&size=-5&hide=sped&ask=juggle"},
	{name: "lesson-ask-bytes", path: "/learn/reduce/chain?step=3&ask=bytes&present=1"},
	{name: "lesson-ask-64", path: "/learn/all-reduce/ring?n=64&step=20&ask=next&who=99"},
	{name: "lesson-4", path: "/learn/all-reduce/ring?n=4&step=3"},
	{name: "lesson-central", path: "/learn/all-reduce/central?step=1"},
	{name: "lesson-tree", path: "/learn/scatter/binomial-tree?step=2&root=3"},
	{name: "lesson-nodes", path: "/learn/all-reduce/hierarchical?G=4&step=3"},
	{name: "lesson-switch", path: "/learn/all-reduce/in-network?step=1"},
	{name: "lesson-scatter", path: "/learn/scatter/direct?n=4&step=1"},
	{name: "lesson-exchange", path: "/learn/all-to-all/bruck?step=2"},
	{name: "lesson-barrier", path: "/learn/barrier/dissemination?step=2"},
	{name: "race-trees", path: "/learn/race?collective=broadcast&a=binomial-tree&b=double-binary-tree&n=16&root=3"},
	{name: "race-nodes", path: "/learn/race?collective=all-gather&a=hierarchical&b=in-network&n=8&switches=1"},
	{name: "race-one", path: "/learn/race?n=1"},
	{name: "race-barrier", path: "/learn/race?collective=barrier&n=8&t=0"},
	{name: "collective", path: "/learn/all-reduce?n=16&size=100MB"},
	{name: "collective-switches", path: "/learn/broadcast?switches=1&n=64&net=article"},
	{name: "collective-barrier", path: "/learn/barrier?n=many"},
	{name: "lesson-64", path: "/learn/all-reduce/ring?n=64&step=20"},
	{name: "lesson-64-done", path: "/learn/all-reduce/ring?n=64&step=126"},
	{name: "race-32", path: "/learn/race?collective=all-reduce&a=ring&b=hierarchical&n=32"},
	{name: "lesson-present", path: "/learn/all-reduce/ring?n=4&step=3&present=1"},
	{name: "lesson-embed", path: "/learn/all-reduce/ring?n=4&step=4&embed=1&lock=1&hide=chunks,net"},
	{name: "lesson-notes", path: "/learn/all-reduce/ring?n=999&step=-1&size=100G"},
	{name: "lesson-broken", path: "/learn/all-reduce/ring?n=4&break=drop&step=2"},
	{name: "lesson-broken-many", path: "/learn/all-to-all/bruck?n=20&break=swap&step=3"},
	{name: "lesson-unbroken", path: "/learn/broadcast/direct?break=double"},
	{name: "lesson-out", path: "/learn/all-reduce/ring?step=5&out=1"},
	{name: "handout", path: "/learn/all-reduce/ring/handout?n=4"},
	{name: "handout-64", path: "/learn/all-gather/direct/handout?n=64"},
	{name: "lesson-unknown", path: "/learn/all-reduce/spiral", failing: true},
	{name: "size", path: "/size"},
	{name: "size-large", path: "/size?model=gpt3-175b&bytes=2&nodes=128&per_node=8&fabric=infiniband-400&compute=4000"},
	{name: "size-system", path: "/size?system=dgx-h100&nodes=16&model=llama3-8b&bytes=2&compute=400&nics=4&rails=2&oversubscription=3&collective=all-to-all&size=1GiB"},
	{name: "size-wrong", path: "/size?nodes=ten&per_node=2000&compute=x&rails=3&nics=many&rate=fast&size=much"},
	{name: "catalog", path: "/catalog", session: true},
	{name: "catalog-systems", path: "/catalog/systems"},
	{name: "catalog-models", path: "/catalog/models?q=llama", session: true},
	{name: "catalog-none", path: "/catalog/fabrics?q=pigeon"},
	{name: "catalog-new", path: "/catalog/models/new", session: true},
	{name: "catalog-new-system", path: "/catalog/systems/new", session: true},
	{name: "reports-empty", path: "/reports", session: true},
	{name: "compare-empty", path: "/reports/compare", session: true},
	{name: "diagnose", path: "/diagnose", session: true},
	{name: "diagnose-slow", path: "/diagnose?sample=slow", session: true},
	{name: "diagnose-healthy", path: "/diagnose?sample=healthy", session: true},
	{name: "diagnose-unsaid", path: "/diagnose?sample=unsaid", session: true},
	{name: "diagnose-several", path: "/diagnose?sample=slow", session: true, then: `document.querySelector("#diagnose-log").value += document.querySelector("#diagnose-log").value; document.querySelector("#diagnose-form .primary").click()`},
	{name: "diagnose-wrong", path: "/diagnose", failing: true, session: true, then: `document.querySelector("#diagnose-log").value = "no log"; document.querySelector("[name=nodes]").value = "many"; document.querySelector("[name=network]").value = "pigeons"; document.querySelector("#diagnose-form .primary").click()`},
	{name: "diagnose-unkept", path: "/diagnose?sample=slow", session: true, then: `document.querySelector("[name=machine]").value = "a/b"; document.querySelector("[value=keep]").click()`},
	{name: "diagnose-kept", path: "/diagnose?sample=slow", session: true, then: `document.querySelector("[name=machine]").value = "lab"; document.querySelector("[value=keep]").click()`},
	{name: "machines", path: "/machines", session: true},
	{name: "machines-kept", path: "/diagnose?sample=slow", session: true, then: keepLog("machines")},
	{name: "machines-remove", path: "/diagnose?sample=slow", session: true, then: keepLog("machines/lab/remove")},
	{name: "step", path: "/size/step"},
	{name: "step-wrong", path: "/size/step?model=deepseek-v3&system=dgx-a100-80&nodes=6&precision=fp8&tp=7&ep=many&seq_len=-1"},
	{name: "size-machine", path: "/diagnose?sample=slow", session: true, then: keepLog("size?system=dgx-h100&nodes=2&compute=10&machine=lab")},
	{name: "report-new", path: "/reports/new?nodes=10", session: true},
	{name: "account", path: "/account", session: true},
	{name: "people", path: "/people", session: true},
	{name: "audit", path: "/people/audit", session: true},
	{name: "audit-none", path: "/people/audit?who=nobody", session: true},
}

var (
	languages = []string{"zh", "en"}
	themes    = []string{"light", "dark"}
	widths    = []int64{390, 768, 1024, 1440, 1920}
)

// TestPagesFitAndAreAccessible looks at every page in both languages and
// themes, in widths from a phone to a projector.
func TestPagesFitAndAreAccessible(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	const parts = 2 // at the same time
	for part := range parts {
		t.Run(strconv.Itoa(part+1), func(t *testing.T) {
			t.Parallel()
			drawn := sample(t)
			visitors := newVisitors(t)
			for i, page := range pages {
				if i%parts == part {
					checkPage(visitors[page.session], axe, page, drawn)
				}
			}
		})
	}
}

// newVisitors returns a tab without session and one with it.
func newVisitors(t *testing.T) map[bool]*tab {
	t.Helper()
	address, key := newServed(t)
	visitors := map[bool]*tab{false: newTab(t, newBrowser(t), address), true: newTab(t, newBrowser(t), address)}
	visitors[true].open("/?key="+key, false)
	return visitors
}

// sample draws what a test takes where it does not take everything. The full
// sample is CI's; elsewhere LOCKSTEP_SEED repeats a draw that failed.
func sample(t *testing.T) func(page) (language, theme string, all bool) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		return func(page) (string, string, bool) { return "", "", true }
	}
	seed, err := strconv.ParseUint(os.Getenv("LOCKSTEP_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64()
	}
	t.Logf("one language and theme for each page, LOCKSTEP_SEED=%d", seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	return func(page) (string, string, bool) {
		return languages[draw.IntN(len(languages))], themes[draw.IntN(len(themes))], false
	}
}

// checkPage looks at one page in every width and, in the full sample, every
// language and theme.
func checkPage(p *tab, axe string, page page, drawn func(page) (string, string, bool)) {
	p.t.Helper()
	oneLanguage, oneTheme, all := drawn(page)
	for _, language := range languages {
		for _, theme := range themes {
			if !all && (language != oneLanguage || theme != oneTheme) {
				continue
			}
			p.prefer(theme)
			p.show(language, page)
			p.waitFor(`"installed" in document.documentElement.dataset`)
			evaluate[bool](p, `document.getAnimations().forEach(a => a.finish()); true`) // half shown, nothing has its contrast
			at := fmt.Sprintf("%s-%s-%s", page.name, language, theme)
			if got := evaluate[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`); got != (theme == "dark") {
				p.t.Fatalf("%s: the browser does not take the theme", at)
			}
			for _, width := range widths {
				p.do(chromedp.EmulateViewport(width, 900))
				if over := evaluate[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
					p.t.Errorf("%s at %d px is %d px too wide", at, width, over)
				}
				if small := evaluate[[]string](p, smallTargets); len(small) > 0 {
					p.t.Errorf("%s at %d px has targets below 24 px: %s", at, width, strings.Join(small, "; "))
				}
				p.picture(fmt.Sprintf("%s-%d", at, width))
				if width == widths[0] || width == 1440 {
					for _, violation := range violations(p, axe) {
						p.t.Errorf("%s at %d px: %s", at, width, violation)
					}
				}
			}
		}
	}
}

// smallTargets lists the targets in the page that are smaller than 24 by 24
// pixels (WCAG 2.5.8).
const smallTargets = `[...document.querySelectorAll("a[href], button, input, select, textarea")]
	.filter(e => e.checkVisibility() && e.type !== "hidden" && !e.classList.contains("skip"))
	.map(e => [e, e.getBoundingClientRect()])
	.filter(([, box]) => box.width < 24 || box.height < 24)
	.map(([e, box]) => e.outerHTML.slice(0, 80) + " " + box.width + "x" + box.height)`

// axeSource reads the accessibility checker that npm has installed.
func axeSource(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("js", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		missing(t, "axe-core (npm ci in e2e/js)")
	}
	return string(source)
}

// violations runs the checker on the page.
func violations(p *tab, axe string) []string {
	p.t.Helper()
	// The checker comes through the debugger, which the page's policy does
	// not bind.
	if !evaluate[bool](p, `"axe" in window`) {
		evaluate[bool](p, axe+";true")
	}
	result := evaluate[string](p, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(
		r.violations.map(v => v.id + ": " + v.help + " at " + v.nodes.map(n => n.target.join(" ")).join(", "))))`)
	var found []string
	if err := json.Unmarshal([]byte(result), &found); err != nil {
		p.t.Fatal(err)
	}
	return found
}

// TestAxeFindsWhatIsWrong keeps the check from passing because it checks
// nothing.
func TestAxeFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	axe := axeSource(t)
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/", false)
	evaluate[bool](p, `document.querySelector("h1").appendChild(document.createElement("img")).src = "`+address+`/favicon"; document.documentElement.removeAttribute("lang"); true`)
	p.expectTrouble("favicon")
	got := strings.Join(violations(p, axe), "\n")
	for _, want := range []string{"image-alt", "html-has-lang"} {
		if !strings.Contains(got, want) {
			t.Errorf("axe does not find %s, only:\n%s", want, got)
		}
	}
}

// TestRequestsElsewhereAreNoticed does the same for the rule that every test
// holds its tabs to: nothing leaves the origin.
func TestRequestsElsewhereAreNoticed(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	elsewhere, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.expectTrouble("another origin: ")
	p.do(chromedp.Navigate(elsewhere + "/en/about"))
	evaluate[bool](p, `new Promise(resolve => { new WebSocket(location.origin.replace("http", "ws") + "/api/v1/runs/0001/events").onerror = () => resolve(true) })`)
	p.expectTrouble("WebSocket connection")
	p.mu.Lock()
	defer p.mu.Unlock()
	heard := strings.Join(p.troubles, "\n")
	for _, want := range []string{"request to another origin: " + elsewhere + "/en/about", "socket to another origin: ws"} {
		if !strings.Contains(heard, want) {
			t.Errorf("%q is not noticed, only:\n%s", want, heard)
		}
	}
}

func TestPrintedAddressOpensASession(t *testing.T) {
	t.Parallel()
	address, key := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/?key="+key, false)
	at := evaluate[string](p, `location.href`)
	if at != address+"/en/" && at != address+"/zh/" {
		t.Errorf("the printed address leads to %s", at)
	}
	p.open("/en/", false)
	if text := evaluate[string](p, `document.body.innerText`); !strings.Contains(text, "Log out") || !strings.Contains(text, "No run yet.") {
		t.Error("there is no session")
	}
	if cookies := evaluate[string](p, `document.cookie`); strings.Contains(cookies, "session") {
		t.Errorf("scripts see the session: %s", cookies)
	}
	p.do(chromedp.Click(`a[hreflang="zh-CN"].btn`), chromedp.WaitReady(`html[lang="zh-CN"]`))
	if text := evaluate[string](p, `document.body.innerText`); !strings.Contains(text, "集合通信") || !strings.Contains(text, "退出") {
		t.Error("the language switch does not keep page and session")
	}
	p.do(chromedp.Click(`form[action="/zh/logout"] button`), chromedp.WaitReady(`a[href="/zh/login"]`))
}

func TestThemeSwitch(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.prefer("light")
	p.open("/en/", false)
	background := func() string {
		return evaluate[string](p, `getComputedStyle(document.body).backgroundColor`)
	}
	light := background()
	p.prefer("dark")
	dark := background()
	if light == dark {
		t.Fatalf("the page does not follow the system: %s in both themes", light)
	}
	for _, step := range []struct{ word, colour string }{{"Light", light}, {"Dark", dark}, {"Auto", dark}, {"Light", light}} {
		p.do(chromedp.Click(`form[data-theme-switch] button`))
		p.waitFor(fmt.Sprintf(`document.querySelector("[data-theme-word]").textContent.trim() === %q`, step.word))
		if got := background(); got != step.colour {
			t.Errorf("%s: background is %s, want %s", step.word, got, step.colour)
		}
	}
	p.open("/zh/", false) // the choice goes along, before any script has run
	if got := evaluate[string](p, `document.documentElement.dataset.theme`); got != "light" || background() != light {
		t.Errorf("the next page comes in %q", got)
	}
}

// TestKeyboardReachesEverything walks through each page with the tab key.
func TestKeyboardReachesEverything(t *testing.T) {
	t.Parallel()
	visitors := newVisitors(t)
	for _, page := range pages {
		p := visitors[page.session]
		p.show("en", page)
		p.waitFor(`"installed" in document.documentElement.dataset && !document.querySelector("[data-lesson]:not([data-ready])")`) // scripts show and hide
		p.do(chromedp.EmulateViewport(1440, 900))
		all := evaluate[[]string](p, focusable+`.map(label)`)
		if len(all) < 4 {
			t.Fatalf("%s has only %d elements to reach", page.name, len(all))
		}
		var reached []string
		for range all {
			p.do(chromedp.KeyEvent(kb.Tab))
			reached = append(reached, evaluate[string](p, focusable+`.filter(e => e === document.activeElement && shows(e)).map(label).join()`))
		}
		if !slices.Equal(all, reached) {
			t.Errorf("%s: the tab key reaches\n%s\nwant, each with a visible focus,\n%s", page.name, strings.Join(reached, "\n"), strings.Join(all, "\n"))
		}
	}
}

// focusable lists what the keyboard must reach, in the order of the page.
const focusable = `
	var label = e => e.outerHTML.slice(0, 100);
	// A box has a ring; what is drawn has another edge than before.
	var edge = e => { let of = getComputedStyle(e.firstElementChild); return of.stroke + of.strokeWidth };
	if (!window.edges) window.edges = new Map([...document.querySelectorAll("svg a")].map(e => [e, edge(e)]));
	var ringed = e => e && (e.matches("svg a") ? edge(e) !== edges.get(e) : getComputedStyle(e).boxShadow !== "none");
	var shows = e => (ringed(e) || ringed(e.closest(".door, .prim"))) && e.getBoundingClientRect().x >= 0;
	[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
		.filter(e => e.checkVisibility() && e.type !== "hidden" && !e.disabled)
		// The tab key stops once in a group of radio buttons; arrows go on.
		.filter(e => e.type !== "radio" || e === (document.querySelector("input[type=radio][name=" + e.name + "]:checked") || document.querySelector("input[type=radio][name=" + e.name + "]")))`

// TestSkipLinkLeadsToTheContent is what a keyboard meets first.
func TestSkipLinkLeadsToTheContent(t *testing.T) {
	t.Parallel()
	address, _ := newServed(t)
	p := newTab(t, newBrowser(t), address)
	p.open("/en/", false)
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	p.waitFor(`document.activeElement.id === "main"`)
}
