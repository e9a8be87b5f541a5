package present

import (
	"math"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/plan"
	"lockstep/sizing/trained"
	"lockstep/views/locale"
)

// stepNotes say the notes of an estimate by their codes; stepQuestions are what
// to ask a customer beside.
var (
	stepNotes = map[string]string{
		"does-not-fit":             "step.note.does-not-fit",
		"bubble":                   "step.note.bubble",
		"tensor-crosses-nodes":     "step.note.tensor-crosses-nodes",
		"fabric-tensor":            "step.note.fabric-tensor",
		"fabric-context":           "step.note.fabric-context",
		"fabric-experts":           "step.note.fabric-experts",
		"fabric-pipeline":          "step.note.fabric-pipeline",
		"fabric-gradients":         "step.note.fabric-gradients",
		"fabric-weights":           "step.note.fabric-weights",
		"fabric-parameters":        "step.note.fabric-parameters",
		"recompute":                "step.note.recompute",
		"computing":                "step.note.computing",
		"software":                 "step.note.software",
		"adam":                     "step.note.adam",
		"overlap":                  "step.note.overlap",
		"batch":                    "step.note.batch",
		"family-not-measured":      "step.note.family-not-measured",
		"not-measured":             "step.note.not-measured",
		"accelerator-not-measured": "step.note.accelerator-not-measured",
		"fabric-guessed":           "step.note.fabric-guessed",
	}
	stepQuestions = map[string]string{
		"does-not-fit":         "step.ask.does-not-fit",
		"bubble":               "step.ask.bubble",
		"tensor-crosses-nodes": "step.ask.tensor-crosses-nodes",
		"fabric-tensor":        "step.ask.fabric",
		"fabric-context":       "step.ask.fabric",
		"fabric-experts":       "step.ask.fabric-experts",
		"fabric-pipeline":      "step.ask.fabric",
		"fabric-gradients":     "step.ask.fabric",
		"fabric-weights":       "step.ask.fabric",
		"fabric-parameters":    "step.ask.fabric",
		"recompute":            "step.ask.recompute",
		"computing":            "step.ask.computing",
	}
)

// stepNote says a note in a language; one of a later program in its own words.
func stepNote(l locale.Locale, n plan.Note) string {
	id, known := stepNotes[n.Code]
	if !known {
		return n.Message
	}
	if needed, _ := n.Values["needed"].(float64); n.Code == "does-not-fit" {
		if capacity, _ := n.Values["capacity"].(float64); needed <= capacity {
			id = "step.note.may-not-fit"
		}
	}
	return l.T(id, stepNoteValues(l, n))
}

// stepQuestion is what to ask a customer about a note; empty for nothing.
func stepQuestion(l locale.Locale, n plan.Note) string {
	if id, known := stepQuestions[n.Code]; known {
		return l.T(id)
	}
	return ""
}

// stepNoteValues are a note's values as messages name them.
func stepNoteValues(l locale.Locale, n plan.Note) locale.Values {
	values := locale.Values{}
	for key, v := range n.Values {
		var name strings.Builder
		for word := range strings.SplitSeq(key, "_") {
			name.WriteString(capital(word))
		}
		switch v := v.(type) {
		case float64:
			values[name.String()] = stepNumber(key, v)
		case string:
			if key == "collective" {
				v = collectiveName(l, schedule.Collective(v))
			}
			values[name.String()] = v
		}
	}
	return values
}

func stepNumber(key string, v float64) string {
	switch key {
	case "share":
		return percentText(v)
	case "needed", "capacity":
		return sizeBytes(unit.Bytes(math.Round(v)))
	}
	return sizeGrouped(int64(math.Round(v)))
}

// Names of what an estimate is made of, by the keys of its document.
var (
	stepPurposes = map[string]string{
		"tensor": "step.purpose.tensor", "context": "step.purpose.context", "experts": "step.purpose.experts", "pipeline": "step.purpose.pipeline",
		"gradients": "step.purpose.gradients", "weights": "step.purpose.weights", "parameters": "step.purpose.parameters",
	}
	stepTermNames = map[string]string{
		"products": "step.term.products", "attention": "step.term.attention", "elements": "step.term.elements", "exchange": "step.term.exchange",
		"head": "step.term.head", "host": "step.term.host", "shards": "step.term.shards", "bubble": "step.term.bubble", "pipe": "step.term.pipe",
		"data": "step.term.data", "optimizer": "step.term.optimizer", "fixed": "step.term.fixed", "spread": "step.term.spread",
	}
	stepParts = map[string]string{
		"compute": "step.part.compute", "communication": "step.part.exposed", "exposed_communication": "step.part.exposed",
		"overlapped_communication": "step.part.overlapped", "bubble": "step.part.bubble", "other": "step.part.other",
	}
	stepMemories = map[string]string{
		"weights": "step.memory.weights", "gradients": "step.memory.gradients", "optimizer": "step.memory.optimizer",
		"activations": "step.memory.activations", "buffers": "step.memory.buffers",
	}
	stepReaches = map[string]string{"node": "step.spans.node", "rack": "step.spans.rack", "cluster": "step.spans.cluster"}
	stepGrades  = map[trained.Grade]string{trained.Between: "step.grade.b", trained.Sibling: "step.grade.c", trained.Formula: "step.grade.d"}
)

// stepWord is the message of a key, or the key of a later program itself.
func stepWord(l locale.Locale, words map[string]string, key string) string {
	if id, known := words[key]; known {
		return l.T(id)
	}
	return key
}

// stepPurpose says what a collective of a step is for.
func stepPurpose(l locale.Locale, purpose string) string { return stepWord(l, stepPurposes, purpose) }

// stepTerm names a term of a step.
func stepTerm(l locale.Locale, name string) string { return stepWord(l, stepTermNames, name) }

// stepPart names a part of the breakdown, or a bottleneck.
func stepPart(l locale.Locale, name string) string { return stepWord(l, stepParts, name) }

// stepMemory names a part of the memory.
func stepMemory(l locale.Locale, name string) string { return stepWord(l, stepMemories, name) }

// stepSpan says how far a group reaches.
func stepSpan(l locale.Locale, spans string) string { return stepWord(l, stepReaches, spans) }
