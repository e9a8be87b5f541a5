package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// stepReport is the form of a report of a training step.
func stepReport(title string) url.Values {
	return url.Values{"kind": {"step"}, "model": {"llama3-70b"}, "system": {"dgx-h100"}, "nodes": {"16"}, "precision": {"bf16"}, "title": {title}, "customer": {"某公司"}}
}

// A training step is saved as it was priced, in both languages, and leads back
// to its own page.
func TestTrainingStepIsSaved(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	form := stepReport("first")
	asked := body(t, c.get("/zh/reports/new?"+form.Encode(), session))
	for _, want := range []string{`name="kind" value="step"`, `name="nodes" value="16"`, `value="first"`, "在 128 张卡的 DGX H100 上训练", "/zh/size/step?"} {
		if !strings.Contains(asked, want) {
			t.Errorf("%s is not in the form", want)
		}
	}
	wantRedirect(t, "save", c.post("/zh/reports", form, session), http.StatusSeeOther, "/zh/reports/0001/v/1")
	for path, wanted := range map[string][]string{
		"/zh/reports/0001/v/1":         {"第 1 版", "在 128 张卡的 DGX H100 上训练", "每步时间去哪了", "谁在通信", "放得下吗", "其他排法", "要问客户的", "什么会改变这个结论", "来源和版本", "/zh/size/step?", "kind=step"},
		"/zh/reports/0001/v/1?lang=en": {"on 128 accelerators of DGX H100", "What communicates", "Sources and versions"},
		"/zh/reports":                  {"first", "在 128 张卡的 DGX H100 上训练"},
	} {
		page := body(t, c.get(path, session))
		for _, want := range wanted {
			if !strings.Contains(page, want) {
				t.Errorf("%s is not on %s", want, path)
			}
		}
		if strings.Contains(page, "no value") || strings.Contains(page, "NaN") {
			t.Errorf("%s has gaps", path)
		}
	}

	form.Set("report", "0001")
	form.Set("nodes", "8")
	wantRedirect(t, "next", c.post("/zh/reports", form, session), http.StatusSeeOther, "/zh/reports/0001/v/2")
	if page := body(t, c.get("/zh/reports/0001/v/2", session)); !strings.Contains(page, "在 64 张卡的 DGX H100 上训练") {
		t.Error("the second version is not about what was asked")
	}
	const headline = "在 64 张卡的 DGX H100 上训练"
	for format, want := range map[string]string{"pdf": "%PDF-", "xlsx": "PK\x03\x04", "html": headline, "markdown": headline, "csv": "流水线气泡", "json": headline} {
		answer := c.get("/zh/reports/0001/v/2/export?format="+format, session)
		wantStatus(t, format, answer, http.StatusOK)
		if file := body(t, answer); !strings.Contains(file, want) {
			t.Errorf("%s: %.200s", format, file)
		}
	}
}

func TestTrainingStepRefusals(t *testing.T) {
	c := newConsole(t)
	session := c.enter(t)
	wantStatus(t, "no title", c.post("/zh/reports", stepReport(" "), session), http.StatusUnprocessableEntity)
	form := stepReport("title")
	form.Set("tp", "7")
	answer := c.post("/zh/reports", form, session)
	wantStatus(t, "impossible", answer, http.StatusSeeOther)
	if place := answer.Header.Get("Location"); !strings.HasPrefix(place, "/zh/size/step?") || !strings.Contains(place, "tp=7") {
		t.Errorf("a step that cannot be leads to %s", place)
	}
	answer = c.post("/zh/reports", stepReport("标题"))
	wantStatus(t, "stranger", answer, http.StatusSeeOther)
	place, err := url.Parse(answer.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	if page := body(t, c.get(place.Query().Get("next"), c.enter(t))); !strings.Contains(page, `name="kind" value="step"`) || !strings.Contains(page, `value="标题"`) {
		t.Error("what a stranger has typed is lost")
	}
}
