// Package raster turns the drawings of views/draw into pixels, for places that
// take no SVG: slides, chats, documents.
//
// It reads the part of SVG and of CSS that those drawings are written in, so
// that there is one geometry and one style for screen, file and pixels. What is
// beyond that part is an error, not a guess: see Painter.Draw.
package raster
