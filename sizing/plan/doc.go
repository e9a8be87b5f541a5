// Package plan lays a model out over a cluster and says what a training step
// takes there: the times, what of the communication is hidden, the memory, what
// limits it and what to change. How long a step takes is said by sizing/trained;
// here layouts are found, and the answer is put into words and a document.
package plan
