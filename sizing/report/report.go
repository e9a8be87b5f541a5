package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lockstep/sizing"
	"lockstep/sizing/plan"
	"lockstep/sizing/site"
)

// ErrNone says that there is no such report, or no such version of it.
var ErrNone = errors.New("no such report")

// formatVersion is that of the Document this program writes. Version 1 had no
// Study, version 2 neither sheets nor training steps, and in version 3 the
// figures that stand out were words without numbers.
const formatVersion = 4

// Report is one version of a report.
type Report struct {
	ID      string // empty until saved
	Version int    // 1 for the first
	Latest  int    // the newest version of the same report
	Saved   time.Time
	Cover   Cover
	Content Document
	Frozen  []byte // Content as it is kept, byte for byte; nil until saved
}

// Document is what is frozen.
type Document struct {
	Version  int              `json:"version"`
	Engine   string           `json:"engine"`             // the program that computed it
	Data     string           `json:"data"`               // the tables that it used, see sizing.DataVersion
	Made     string           `json:"made,omitempty"`     // when, on the console's own clock
	Estimate sizing.Estimate  `json:"estimate,omitzero"`  // of the exchange of gradients; zero for a training step
	Study    *site.Study      `json:"study,omitempty"`    // of one collective on the cluster; nil where none was made
	Training *plan.Estimate   `json:"training,omitempty"` // of a training step; nil for an exchange
	Asked    string           `json:"asked,omitempty"`    // the query that Training answers, as addresses spell it
	Words    map[string]Words `json:"words"`              // by language: zh, en
	Sheets   map[string]Sheet `json:"sheets,omitempty"`   // by language; none in earlier versions
}

// Words are the sentences of a report in one language.
type Words struct {
	Headline    string   `json:"headline"`
	Conclusions []string `json:"conclusions"`
	Assumptions []string `json:"assumptions"`
}

// NewDocument freezes an estimate with its words.
func NewDocument(engine string, e sizing.Estimate, words map[string]Words) Document {
	return Document{Version: formatVersion, Engine: engine, Data: sizing.DataVersion, Estimate: e, Words: words}
}

// NewTraining freezes the estimate of a training step with its words. asked is
// the query that it answers.
func NewTraining(engine, asked string, e plan.Estimate, words map[string]Words) Document {
	return Document{Version: formatVersion, Engine: engine, Data: sizing.DataVersion, Training: &e, Asked: asked, Words: words}
}

// Encode returns the document as it is kept.
func (d Document) Encode() ([]byte, error) {
	content, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return content, nil
}

// Decode reads a document that Encode has written, of this version of the
// format or an earlier one.
func Decode(content []byte) (Document, error) {
	var d Document
	if err := json.Unmarshal(content, &d); err != nil {
		return Document{}, fmt.Errorf("decode report: %w", err)
	}
	if d.Version < 1 || d.Version > formatVersion {
		return Document{}, fmt.Errorf("decode report: format %d; known are 1 to %d", d.Version, formatVersion)
	}
	return d, nil
}
