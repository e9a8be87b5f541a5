package present

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded is a text as searches compare it. Case, width, hyphens, blanks,
// British and American spelling, traditional characters and an s at the end of
// a word make no difference in it.
type folded struct {
	tight string   // without blanks
	words []string // stretches of one script
}

// fold brings a text to the form in which texts are compared.
func fold(text string) folded {
	var f folded
	for _, part := range scripts(plain(text)) {
		f.words = append(f.words, singular(part))
	}
	f.tight = strings.Join(f.words, "")
	return f
}

// plain is a text in lower case, of the usual width and spelling, with blanks
// in the place of everything that is neither letter nor digit.
func plain(text string) string {
	text = strings.ToLower(norm.NFKC.String(text))
	text = american.Replace(simplified().Replace(symbols.Replace(text)))
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		case r == '\'' || r == '’': // Rabenseifner's
			return -1
		}
		return ' '
	}, text)
}

// scripts cuts a text at blanks and where Han begins or ends.
func scripts(text string) []string {
	var parts []string
	var part strings.Builder
	end := func() {
		if part.Len() > 0 {
			parts = append(parts, part.String())
			part.Reset()
		}
	}
	han := false
	for _, r := range text {
		if is := unicode.Is(unicode.Han, r); is != han {
			end()
			han = is
		}
		if r == ' ' {
			end()
			continue
		}
		part.WriteRune(r)
	}
	end()
	return parts
}

// singular takes the s from the end of an English word of several letters.
func singular(word string) string {
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}

// simplified replaces the traditional characters that the words of the field
// are written with elsewhere.
var simplified = sync.OnceValue(func() *strings.Replacer {
	const pairs = "廣广發发規规約约歸归換换環环樹树雙双鏈链網网層层遞递減减廻回帶带寬宽總总線线時时遲迟數数據据塊块節节點点" +
		"並并訓训練练張张專专優优參参務务異异陳陈標标記记權权載载頻频擴扩縮缩邊边內内聯联軌轨輪轮階阶進进號号組组調调協协議议" +
		"測测試试緩缓衝冲顯显機机櫃柜擁拥級级徑径馬马傳传遠远離离儲储應应響响餘余裏里義义詞词讀读寫写復复複复製制濾滤積积" +
		"圖图變变長长個个隊队動动態态屬属項项額额實实際际質质負负價价檢检驗验運运選选過过達达體体庫库單单對对開开關关閉闭"
	var both []string
	runes := []rune(pairs)
	for i := 0; i+1 < len(runes); i += 2 {
		both = append(both, string(runes[i]), string(runes[i+1]))
	}
	return strings.NewReplacer(both...)
})

// symbols are spelt out; the spelling is the American one.
var (
	symbols  = strings.NewReplacer("α", "alpha", "β", "beta", "µ", "u", "μ", "u")
	american = strings.NewReplacer("isation", "ization", "ising", "izing", "ised", "ized", "iser", "izer", "bour", "bor", "olour", "olor", "归约", "规约")
)
