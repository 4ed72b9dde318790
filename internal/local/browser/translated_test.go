package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// see looks at a screen in a language on a phone.
func (v *visit) see(language, screen string) {
	v.t.Helper()
	v.checkWidth(language + " " + screen)
	v.checkTextPlaces(language + " " + screen)
	v.checkWords(language, screen)
	v.checkDirections(language, screen)
	v.checkNames(language + " " + screen)
}

// messageIn is a last screen in a language. Its names have no letters that a language could lack.
func messageIn(language, text string, reason object) object {
	message := object{"text": text}
	if reason != nil {
		message["reason"] = reason
	}
	return object{"kind": "message", "operation": "purchase", "language": language, "merchant": "Löwe & 1187",
		"order": object{"number": "1187/A-2", "amount": "48.40", "currency": "EUR", "decimals": 2}, "message": message,
		"branding": object{"terms_url": "https://shop.example/terms", "privacy_url": "https://shop.example/privacy"},
		"go":       object{"url": "https://shop.example/", "target": "_self"}}
}

// wordsOf are the texts of a catalogue, each form of a plural on its own.
func wordsOf(language string) ([]string, error) {
	name := filepath.Join(root, "infra", "page", "src", "texts", "words", language+".json")
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, err
	}
	return textsIn(all), nil
}

var form = regexp.MustCompile(`(?:zero|one|two|few|many|other) \{([^{}]*)\}`)

func textsIn(value any) (texts []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, part := range value {
			texts = append(texts, textsIn(part)...)
		}
	case string:
		if !strings.HasPrefix(value, "{count, plural,") {
			return []string{value}
		}
		for _, one := range form.FindAllStringSubmatch(value, -1) {
			texts = append(texts, strings.ReplaceAll(one[1], "#", "{count}"))
		}
	}
	return texts
}

var letter = regexp.MustCompile(`\p{L}`)

var place = regexp.MustCompile(`\{\w+\}`)

// englishTexts matches what the English catalogue says and that of a language does not, with places filled.
func englishTexts(language string) (*regexp.Regexp, error) {
	if known, ok := english.Load(language); ok {
		return known.(*regexp.Regexp), nil
	}
	texts, err := wordsOf("en")
	if err != nil {
		return nil, err
	}
	var own []string
	if language != "en" {
		own, err = wordsOf(language)
	}
	var patterns []string
	for _, text := range texts {
		if len(letter.FindAllString(place.ReplaceAllString(text, ""), -1)) < 3 || slices.Contains(own, text) {
			continue
		}
		parts := place.Split(text, -1)
		for i, part := range parts {
			parts[i] = regexp.QuoteMeta(part)
		}
		patterns = append(patterns, strings.Join(parts, ".+"))
	}
	pattern := regexp.MustCompile("^(?:" + strings.Join(patterns, "|") + ")$")
	english.Store(language, pattern)
	return pattern, err
}

var english sync.Map // what englishTexts has made, by language

// checkWords checks that nothing on the screen is a text of the English catalogue, unless the language writes it alike.
func (v *visit) checkWords(language, screen string) {
	v.t.Helper()
	const said = `(() => {
		const said = [document.title];
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node; node = walk.nextNode();) said.push(node.data);
		for (const e of document.querySelectorAll('p, dt, dd, button, label, legend, h1, h2, a, li')) said.push(e.innerText);
		for (const name of ['aria-label', 'placeholder', 'alt', 'title'])
			for (const e of document.querySelectorAll('[' + name + ']')) said.push(e.getAttribute(name));
		return [...new Set(said.map(text => text.trim()))].filter(text => /\p{L}/u.test(text));
	})()`
	texts := get[[]string](v.tab, said)
	if len(texts) < 3 {
		v.t.Errorf("%s: only %q", screen, texts)
	}
	pattern, err := englishTexts(language)
	if err != nil {
		v.t.Fatal(err)
	}
	found := slices.DeleteFunc(texts, func(text string) bool { return !pattern.MatchString(text) })
	if language == "en" && len(found) == 0 {
		v.t.Errorf("%s: no text is known", screen)
	}
	if language != "en" && len(found) > 0 {
		v.t.Errorf("%s %s: %q is English", language, screen, found)
	}
}

// checkLetters checks that the browser has a drawing of every letter of a text: one that differs from that of a letter
// that no font has.
func (v *visit) checkLetters(text string) {
	v.t.Helper()
	const missing = `(text => {
		const canvas = document.createElement('canvas');
		canvas.width = canvas.height = 48;
		const pen = canvas.getContext('2d', {willReadFrequently: true});
		pen.font = '32px ' + getComputedStyle(document.body).fontFamily;
		const drawn = letter => {
			pen.clearRect(0, 0, 48, 48);
			pen.fillText(letter, 4, 36);
			return canvas.toDataURL();
		};
		const none = drawn('\u{10FFFE}');
		if (none == drawn(' ')) return ['a missing letter is not drawn'];
		return [...new Set(text)].filter(letter => drawn(letter) == none);
	})`
	if letters := get[[]string](v.tab, missing+"("+quote(text)+")"); len(letters) > 0 {
		v.t.Errorf("no font has %q", letters)
	}
}

// checkDirections checks that the page runs as its language does, that numbers, codes and addresses run left to right
// in every language, and that arrows point where reading goes.
func (v *visit) checkDirections(language, screen string) {
	v.t.Helper()
	want := map[bool]string{true: "rtl", false: "ltr"}[language == "ar"]
	const wrong = `(want => {
		const faults = [], direction = e => getComputedStyle(e).direction;
		const texts = 'html, body, main, h1, h2, p, label, button, legend, dl, dt, dd, select';
		for (const e of document.querySelectorAll(texts))
			if (direction(e) != want && !e.closest('bdi')) faults.push(e.tagName + ' ' + e.id + ' ' + direction(e));
		const numbers = 'bdi[dir=ltr], [role=timer] bdi, input[inputmode=numeric], input[type=tel], input[type=email]';
		for (const e of document.querySelectorAll(numbers)) if (direction(e) != 'ltr') faults.push('number ' + e.id);
		for (const e of document.querySelectorAll('.leave'))
			if ((new DOMMatrix(getComputedStyle(e).transform).a < 0) != (want == 'rtl')) faults.push('arrow');
		return faults;
	})(` + `"WANT")`
	if faults := get[[]string](v.tab, strings.Replace(wrong, "WANT", want, 1)); len(faults) > 0 {
		v.t.Errorf("%s %s: %s", language, screen, strings.Join(faults, ", "))
	}
}
