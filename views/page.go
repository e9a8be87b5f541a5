package views

import "lockstep/views/locale"

// Page is what every page needs around its content.
type Page struct {
	Locale locale.Locale
	Title  string // of the window, without the name of the program

	Nav []Section

	HomeURL   string
	LoginURL  string
	LogoutURL string
	Who       Who
	Other     Translation // the same page in the other language
	Theme     Theme
	Session   bool // whether the visitor has one
	Present   bool // enlarged for a projector, without what surrounds the content
	Bare      bool // framed by another page: the content alone

	Styles  []string // URLs
	Script  string   // URL of a module, empty for none
	Icon    string   // URL
	Version string
}

// Who is the visitor who is in, as the bar names them.
type Who struct {
	Name string // empty for no such link
	URL  string // of their account
}

// Section is an entry of the navigation.
type Section struct {
	Name    string
	URL     string
	Current bool // the page belongs to it
}

// Translation links to a page in another language.
type Translation struct {
	Tag  string // for the lang and hreflang attributes
	Name string // of the language, in itself
	Form string // the form on this page that goes along, by its ID, to URL; empty for none
	URL  string
}

// Theme is the switch that goes round the three themes.
type Theme struct {
	Current string // auto, light or dark
	Next    string
	URL     string // where the switch is sent without scripts
	Back    string // the page to return to
}

// Command is a command line, cut into the groups that must stay on one line.
type Command []string

// Notice is a page of one thought: something that did not work.
type Notice struct {
	Page   Page
	Status string
	Title  string
	Text   string
}
