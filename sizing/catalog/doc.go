// Package catalog holds what public sources say of accelerators, systems that
// are built of them, fabrics that join those, and models that are trained on
// them. Every entry names its source, and what of it is doubtful.
package catalog
