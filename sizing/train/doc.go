// Package train prices a training step: what one accelerator computes, what it
// sends, and what of that is not hidden.
//
// Three layers are kept apart. A Shape tells what a model multiplies. Physics
// turns a shape, a layout and a machine into seconds by closed formulas, each
// with a name. Effects correct those seconds by what runs of the same software
// have shown; without evidence they are zero.
//
// Times are seconds, sizes bytes, rates bytes or operations a second.
package train
