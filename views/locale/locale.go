package locale

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed messages/*.json
var messages embed.FS

// The languages that pages come in, as they stand in URLs.
const (
	Chinese = "zh"
	English = "en"
)

// Values fill the placeholders of a message. Count also picks between one and
// many where a language makes the difference.
type Values map[string]any

// Locale speaks one language. It is safe for concurrent use.
type Locale struct {
	lang      string
	localizer *i18n.Localizer
}

// Lang is the language as it stands in URLs: zh or en.
func (l Locale) Lang() string { return l.lang }

// Tag is the language as it stands in the lang attribute of a page.
func (l Locale) Tag() string {
	if l.lang == Chinese {
		return "zh-CN"
	}
	return l.lang
}

// T returns the message id. An id that does not exist is returned itself: a
// test keeps that from happening, and a page with one odd word beats none.
func (l Locale) T(id string, values ...Values) string {
	config := i18n.LocalizeConfig{MessageID: id}
	if len(values) > 0 {
		config.TemplateData = values[0]
		config.PluralCount = values[0]["Count"]
	}
	text, err := l.localizer.Localize(&config)
	if err != nil {
		return id
	}
	return text
}

// Bundle holds all languages.
type Bundle struct {
	chinese, english Locale
	matcher          language.Matcher
}

// Load reads the embedded messages.
func Load() (*Bundle, error) {
	bundle := i18n.NewBundle(language.Chinese)
	files, err := fs.Glob(messages, "messages/*.json")
	if err != nil {
		return nil, fmt.Errorf("load messages: %w", err)
	}
	for _, file := range files { // AREA.LANGUAGE.json
		if _, err := bundle.LoadMessageFileFS(messages, file); err != nil {
			return nil, fmt.Errorf("load messages: %w", err)
		}
	}
	speak := func(lang string) Locale { return Locale{lang, i18n.NewLocalizer(bundle, lang)} }
	return &Bundle{
		chinese: speak(Chinese),
		english: speak(English),
		// English comes first because the matcher falls back on its first.
		matcher: language.NewMatcher([]language.Tag{language.English, language.Chinese}),
	}, nil
}

// In returns the locale of a language as it stands in URLs, or false.
func (b *Bundle) In(lang string) (Locale, bool) {
	switch lang {
	case Chinese:
		return b.chinese, true
	case English:
		return b.english, true
	}
	return Locale{}, false
}

// Negotiate picks the language for an Accept-Language header: Chinese for any
// kind of Chinese and where no language is asked for, else English.
func (b *Bundle) Negotiate(acceptLanguage string) Locale {
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(wanted) == 0 || acceptLanguage == "*" {
		return b.chinese
	}
	if _, index, _ := b.matcher.Match(wanted...); index == 1 {
		return b.chinese
	}
	return b.english
}
