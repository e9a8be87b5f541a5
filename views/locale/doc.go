// Package locale holds every sentence that a page shows, in Chinese and in
// English, and picks a language for a visitor. The two are written each for
// itself: they say the same, not word for word.
package locale
