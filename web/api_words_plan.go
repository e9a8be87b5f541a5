package web

import "strings"

// planSchemas say what each document about a training step is.
var planSchemas = map[string]string{
	"PlanAlternative":   "Another layout of the same training.",
	"PlanBounded":       "A figure, and between what nine of ten runs lie.",
	"PlanBreakdown":     "What a step is made of; all but overlapped_communication add up to it.",
	"PlanCommunication": "One collective of a step.",
	"PlanEstimate":      "What a training step takes on a cluster: the document of console size --json.",
	"PlanLayout":        "How a model is spread over accelerators.",
	"PlanMemory":        "What the fullest accelerator holds at the peak of a step, in bytes.",
	"PlanNote":          "A sentence with its code.",
	"PlanRequest":       "The long flags of console size, with IDs of the catalogue.",
	"PlanTerm":          "A part of a step, and how it is worked out.",
}

// planWords say what a key of these documents holds.
var planWords = map[string]string{
	"accelerators":                 "How many accelerators take part.",
	"activations":                  "What the backward pass reads.",
	"advice":                       "What to change, and what to ask.",
	"alternatives":                 "The next best layouts.",
	"assumptions":                  "What was taken for granted.",
	"bottleneck":                   "The largest part of the step: compute, communication, bubble or other.",
	"breakdown_s":                  "What the step is made of, in seconds.",
	"bubble":                       "Filling and draining the pipeline.",
	"buffers":                      "Gathered parameters, temporaries and the runtime.",
	"bytes":                        "Of the full buffer of one.",
	"capacity":                     "Of one accelerator.",
	"code":                         "What it is about.",
	"communication":                "The collectives of a step.",
	"compute":                      "Matrix products, attention, element-wise kernels and the head.",
	"count_per_step":               "How many a step has.",
	"cp":                           "Degree of context parallelism.",
	"dp":                           "Degree of data parallelism.",
	"ep":                           "Degree of expert parallelism, within data parallelism.",
	"exposed_communication":        "Communication that computing does not hide.",
	"exposed_s":                    "Seconds of a step that wait for it.",
	"fits":                         "Whether it surely fits, even if the peak is as far above its formula as any that was measured.",
	"formula":                      "How it is worked out, in letters.",
	"global_batch":                 "Sequences of a step.",
	"grade":                        "What it rests on: B runs of this family of models, C of others on the same software, D formulas.",
	"gradients":                    "Of the parameters on the rank.",
	"group_size":                   "How many ranks take part in one.",
	"high":                         "Its upper end.",
	"layouts_tried":                "How many layouts were priced.",
	"low":                          "Its lower end.",
	"mfu":                          "Share of the peak that the model's operations are, attention over half of the sequence.",
	"micro_batch":                  "Sequences of a micro-batch.",
	"micro_batches":                "Micro-batches that a rank takes a step.",
	"model":                        "The model, by its ID.",
	"nodes":                        "How many nodes of the system.",
	"optimizer":                    "Its state.",
	"other":                        "The optimizer, waiting for the host, and what grows with the number of ranks.",
	"overlap":                      "Whether gradients are exchanged behind the backward pass.",
	"overlapped_communication":     "Communication that computing hides; in no sum.",
	"pp":                           "Degree of pipeline parallelism.",
	"precision":                    "What matrix products multiply: bf16, fp16, fp8, mxfp8 or nvfp4.",
	"purpose":                      "tensor, context, experts, pipeline, gradients, weights or parameters.",
	"recompute":                    "Which activations are computed again: none, selective or full.",
	"scaling_efficiency":           "Against one replica of the same layout, which has nothing to exchange.",
	"seconds":                      "Of the step.",
	"seq_len":                      "Tokens of a sequence.",
	"sequence_parallel":            "Whether element-wise work is cut along the sequence too.",
	"spans":                        "How far a group reaches: node, rack or cluster.",
	"step_time_s":                  "Of one step, in seconds.",
	"strategy":                     "The layout; in a request auto, or settings such as tp=8,pp=4,zero=1.",
	"system":                       "The system, by its ID.",
	"terms":                        "The parts of the step.",
	"time_s":                       "Of all of a step, as if nothing else ran.",
	"tokens_per_s_per_accelerator": "Tokens a second of one accelerator.",
	"total":                        "All of it.",
	"tp":                           "Degree of tensor parallelism.",
	"value":                        "The figure.",
	"values":                       "What stands in the sentence: numbers, shares of 1, sizes in bytes, names.",
	"vpp":                          "Stages of a pipeline rank.",
	"weights":                      "The parameters on the rank.",
	"zero":                         "What data-parallel ranks divide: 0 nothing, 1 optimizer state, 2 also gradients, 3 also weights.",
}

// plannedWords are the words of a key of a document about a training step.
func plannedWords(schema, key string) string {
	if !strings.HasPrefix(schema, "Plan") {
		return ""
	}
	return planWords[key]
}
