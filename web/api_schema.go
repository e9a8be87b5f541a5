package web

import (
	"cmp"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/diagnose"
	"lockstep/sizing/plan"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// newSchemas returns the registry of the API's types. Most schemas follow from
// the Go types and their JSON tags; the rest stands here: words of a fixed set,
// and types that write their JSON themselves.
func newSchemas() huma.Registry {
	r := huma.NewMapRegistry("#/components/schemas/", schemaName)
	r.RegisterTypeAlias(typeOf[huma.ErrorModel](), typeOf[Problem]())
	r.RegisterTypeAlias(typeOf[trace.Failure](), typeOf[failureDocument]())
	r.RegisterTypeAlias(typeOf[schedule.Collective](), typeOf[collectiveWord]())
	r.RegisterTypeAlias(typeOf[schedule.DType](), typeOf[dtypeWord]())
	r.RegisterTypeAlias(typeOf[schedule.ReduceOp](), typeOf[opWord]())
	r.RegisterTypeAlias(typeOf[trace.Outcome](), typeOf[outcomeWord]())
	r.RegisterTypeAlias(typeOf[trace.FailureKind](), typeOf[failureWord]())
	r.RegisterTypeAlias(typeOf[trace.Backend](), typeOf[backendWord]())
	r.RegisterTypeAlias(typeOf[trace.Link](), typeOf[linkWord]())
	r.RegisterTypeAlias(typeOf[trace.Encryption](), typeOf[encryptionWord]())
	r.RegisterTypeAlias(typeOf[MessageType](), typeOf[messageWord]())
	r.RegisterTypeAlias(typeOf[inventory.Standing](), typeOf[standingWord]())
	r.RegisterTypeAlias(typeOf[diagnose.Severity](), typeOf[severityWord]())
	r.RegisterTypeAlias(typeOf[diagnose.Verdict](), typeOf[verdictWord]())
	r.RegisterTypeAlias(typeOf[diagnose.Need](), typeOf[needWord]())
	return r
}

// schemaName is the name of a type's schema: the type's own, but for types of
// one name in two packages.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	switch {
	case t == typeOf[failureDocument]():
		return "Failure"
	case t == typeOf[trace.Library]():
		return "RunLibrary"
	case name == "Times" && t.PkgPath() == "lockstep/sizing":
		return "StepTimes"
	case t.PkgPath() == "lockstep/sizing/diagnose":
		return "Log" + name
	case t.PkgPath() == "lockstep/sizing/catalog":
		return "Catalog" + name
	case t.PkgPath() == "lockstep/sizing/measured":
		return "Measured" + name
	case t.PkgPath() == "lockstep/sizing/plan":
		return "Plan" + name
	case t.PkgPath() == "lockstep/sizing/site" && name != "Site":
		return "Site" + name
	}
	return name
}

// failureDocument is the JSON of a trace.Failure, which writes it itself.
type failureDocument struct {
	Kind          trace.FailureKind `json:"kind"`
	Culprit       trace.Culprit     `json:"culprit,omitzero"`
	Step          *int              `json:"step_id,omitempty"`
	Round         *int              `json:"round,omitempty"`
	DetectedAfter float64           `json:"detected_after_s,omitzero"`
	Message       string            `json:"message"`
	Values        trace.Values      `json:"values,omitempty"`
}

// The words of each set.
type (
	collectiveWord string
	dtypeWord      string
	opWord         string
	outcomeWord    string
	failureWord    string
	backendWord    string
	linkWord       string
	encryptionWord string
	messageWord    string
	standingWord   string
	severityWord   string
	verdictWord    string
	needWord       string
)

func oneOf[T ~string](words ...T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, w := range words {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}

func (collectiveWord) Schema(huma.Registry) *huma.Schema { return oneOf(schedule.Collectives()...) }
func (dtypeWord) Schema(huma.Registry) *huma.Schema      { return oneOf(schedule.DTypes()...) }
func (opWord) Schema(huma.Registry) *huma.Schema         { return oneOf(schedule.ReduceOps()...) }
func (backendWord) Schema(huma.Registry) *huma.Schema    { return oneOf(trace.Backends()...) }
func (linkWord) Schema(huma.Registry) *huma.Schema       { return oneOf(trace.Links()...) }
func (encryptionWord) Schema(huma.Registry) *huma.Schema { return oneOf(trace.Sealed, trace.Plain) }
func (messageWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(Snapshot, Delta, StateOnly, End)
}
func (outcomeWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(trace.Queued, trace.Running, trace.Done, trace.Failed, trace.Cancelled)
}
func (failureWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(trace.ProcessDied, trace.ProcessFrozen, trace.LinkStalled, trace.WrongResult, trace.StartFailed,
		trace.AgentLost, trace.NodeLimit, trace.Unreachable, trace.LibraryFailed, trace.ConsoleStopped, trace.Internal)
}
func (standingWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(inventory.Ready, inventory.Draining, inventory.Offline, inventory.Revoked)
}

func (severityWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(diagnose.Critical, diagnose.Warn, diagnose.Info)
}
func (verdictWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(diagnose.Healthy, diagnose.Below, diagnose.Unusable, diagnose.Unjudged)
}
func (needWord) Schema(huma.Registry) *huma.Schema {
	return oneOf(diagnose.NeedsCollective, diagnose.NeedsRanks, diagnose.NeedsSystem, diagnose.NeedsSizes)
}

// bounds are the least and the most of what requests hold.
var bounds = map[string][2]float64{
	"RunRequest.ranks":                        {1, trace.MaxRanks},
	"RunRequest.root":                         {0, trace.MaxRanks - 1},
	"RunRequest.ranks_per_node":               {1, trace.MaxRanks},
	"RunRequest.chunks":                       {1, 1 << 19},
	"RunRequest.size_bytes":                   {0, float64(trace.MaxSize)},
	"RunRequest.iterations":                   {1, trace.MaxIterations},
	"RunRequest.slices":                       {1, trace.MaxSlices},
	"ImportRequest.ranks":                     {1, diagnose.MaxRanks},
	"ImportRequest.nodes":                     {1, diagnose.MaxNodes},
	"PlanRequest.nodes":                       {1, plan.MaxNodes},
	"PlanRequest.seq_len":                     {1, plan.MaxSequence},
	"PlanRequest.global_batch":                {1, plan.MaxBatch},
	"PredictionRequest.ranks":                 {1, schedule.MaxRanks},
	"PredictionRequest.ranks_per_node":        {1, schedule.MaxRanks},
	"PredictionRequest.chunks":                {1, 1 << 19},
	"PredictionRequest.size_bytes":            {0, 1 << 50},
	"PredictionRequest.bandwidth_bytes_per_s": {1, 1e15},
	"PredictionRequest.latency_s":             {0, 3600},
}

// requests are the schemas of what is sent to the console. All others are of
// answers, to which keys may be added.
var requests = map[string]bool{"RunRequest": true, "PredictionRequest": true, "PlanRequest": true, "ImportRequest": true, "ImportFile": true, "Pace": true}

// describe completes the schemas when all operations are there: what the keys
// mean and which numbers are taken.
func (a *api) describe() {
	for name, s := range a.OpenAPI().Components.Schemas.Map() {
		s.Description = cmp.Or(schemaWords[name], planSchemas[name], sheetSchemas[name])
		if !requests[name] {
			s.AdditionalProperties = nil
		}
		for key, property := range s.Properties {
			path := name + "." + key
			if property.Ref != "" { // beside a reference nothing else may stand
				property = &huma.Schema{AllOf: []*huma.Schema{{Ref: property.Ref}}}
				s.Properties[key] = property
			}
			property.Description = cmp.Or(property.Description, propertyWords[path], sheetWords[path], entryWords(name, key), plannedWords(name, key), keyWords[key])
			if example, ok := examples[path]; ok {
				property.Examples = []any{example}
			}
			if b, ok := bounds[path]; ok {
				property.Minimum, property.Maximum = &b[0], &b[1]
			}
			if property.Type == huma.TypeArray && !mayBeNull[path] {
				property.Nullable = false
			}
			property.PrecomputeMessages()
		}
		s.PrecomputeMessages()
	}
}
