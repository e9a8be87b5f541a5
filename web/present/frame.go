package present

import (
	"net/url"
	"strings"

	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Assets are the URLs of the files that pages load.
type Assets struct {
	Styles []string
	Script string
	Icon   string
}

// Frame is what surrounds the content of a page.
type Frame struct {
	Locale  locale.Locale // of this page
	Other   locale.Locale // the other language
	Section string        // of the navigation that the page belongs to, empty for none
	Target  *url.URL      // what was asked for; nil for a page that stands for itself
	Theme   string        // as the visitor's cookie says; anything unknown is auto
	Session bool
	Actor   account.Actor // who looks, with a session
	People  bool          // accounts are kept here
	Runs    bool          // runs are carried out here
	Ranks   int           // rank processes that this machine offers to a run; 0 for unknown
	Assets  Assets
	Version string
	Program string // how the console is called in a terminal here
}

// May reports whether whoever looks may do what the role may.
func (f Frame) May(needed account.Role) bool { return f.Session && f.Actor.Role.May(needed) }

// Barred reports whether whoever looks is in and may not do what the role may:
// a page then leaves out what they would only be refused.
func (f Frame) Barred(needed account.Role) bool { return f.Session && !f.Actor.Role.May(needed) }

// who names the visitor who is in, where accounts are kept.
func (f Frame) who() views.Who {
	if !f.Session || !f.People {
		return views.Who{}
	}
	who := views.Who{Name: f.Actor.Name, URL: f.homeURL() + "account"}
	if who.Name == "" {
		who.Name = f.Locale.T("page.by-key")
	}
	return who
}

// nextTheme is the order in which the theme switch goes round.
var nextTheme = map[string]string{"auto": "light", "light": "dark", "dark": "auto"}

// page builds the surroundings of a page with the given title.
func (f Frame) page(title string) views.Page {
	theme := f.Theme
	if !IsTheme(theme) {
		theme = "auto"
	}
	here := f.here()
	return views.Page{
		Locale:    f.Locale,
		Title:     title,
		Nav:       f.nav(),
		HomeURL:   f.homeURL(),
		LoginURL:  f.homeURL() + "login",
		LogoutURL: f.homeURL() + "logout",
		Who:       f.who(),
		Other: views.Translation{
			Tag:  f.Other.Tag(),
			Name: languageNames[f.Other.Lang()],
			URL:  "/" + f.Other.Lang() + strings.TrimPrefix(here, "/"+f.Locale.Lang()),
		},
		Theme:   views.Theme{Current: theme, Next: nextTheme[theme], URL: "/theme", Back: here},
		Session: f.Session,
		Styles:  f.Assets.Styles,
		Script:  f.Assets.Script,
		Icon:    f.Assets.Icon,
		Version: f.Version,
	}
}

// command is a command line of the console, cut where it may wrap.
func (f Frame) command(words ...string) views.Command {
	words[0] = f.Program + " " + words[0]
	return words
}

// section is an entry of the navigation: a key of the messages and a path
// below the language.
type section struct{ name, path string }

// sections lists the entries in their order. One appears when its page exists.
func sections() []section {
	return []section{
		{"learn", "learn"},
		{"run", "runs"},
		{"nodes", nodesPath},
		{"size", "size"},
		{diagnosePath, diagnosePath},
		{"people", "people"},
	}
}

func (f Frame) nav() []views.Section {
	var nav []views.Section
	for _, s := range sections() {
		if (s.name == "run" || s.name == nodesPath) && !f.Runs {
			continue
		}
		if s.name == "people" && !(f.People && f.May(account.Admin)) {
			continue
		}
		nav = append(nav, views.Section{Name: f.Locale.T("nav." + s.name), URL: f.homeURL() + s.path, Current: f.Section == s.name})
	}
	return nav
}

// languageNames names each language in itself.
var languageNames = map[string]string{locale.Chinese: "中文", locale.English: "English"}

func (f Frame) homeURL() string { return "/" + f.Locale.Lang() + "/" }

// here is the path of this page with its query, without a key that may have
// come along. A page without language in its path is the home page as far as
// links are concerned.
func (f Frame) here() string {
	if f.Target == nil || !strings.HasPrefix(f.Target.Path, f.homeURL()) {
		return f.homeURL()
	}
	query := f.Target.Query()
	query.Del("key")
	here := url.URL{Path: f.Target.Path, RawQuery: query.Encode()}
	return here.String()
}

// IsTheme reports whether the switch knows the theme.
func IsTheme(theme string) bool { return nextTheme[theme] != "" }
