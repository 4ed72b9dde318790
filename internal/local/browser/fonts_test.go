package browser

import (
	"testing"
	"time"
)

// TestFontsAreNamed counts the pieces of text that have no font among those of the style sheet. For each of them the
// browser asks another process, which looks among all fonts, and the payer waits.
func TestFontsAreNamed(t *testing.T) {
	at, _ := embedded(t, time.Now)
	shop := openShop(t)
	for _, row := range spoken {
		t.Run(row.language, func(t *testing.T) {
			v := newVisit(t, at, shop)
			s := v.session(object{"checkout_language": row.language, "customer": nil, "billing_address": nil})
			if n := v.searched(s.URL, element("pay")); n > 0 {
				t.Errorf("%d pieces of text have no font that the page names", n)
			}
		})
	}
	t.Run("a page that names none", func(t *testing.T) {
		v := newVisit(t, at, shop)
		arabic := "data:text/html;charset=utf-8,<p style='font-family:Noto Sans'>%D8%A7%D9%84"
		if v.searched(arabic, "document.body.innerText") == 0 {
			t.Error("the trace does not say that a font was searched for")
		}
	})
}

// searched counts the searches among all fonts until a page has drawn what is awaited.
func (v *visit) searched(address, awaited string) (n int) {
	v.t.Helper()
	events := v.trace(func() {
		v.open(address)
		v.until(awaited)
		get[bool](v.tab, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 0)))")
	})
	for _, e := range events {
		if e.Name == "FontCache::FallbackFontForCharacter" {
			n++
		}
	}
	return n
}
