package signature

import (
	"strings"
	"unicode"
)

// UpperFull returns text in upper case by Unicode's full mapping, as most languages' standard libraries do: one
// character may become two or three.
func UpperFull(text string) string {
	var b strings.Builder
	for _, c := range text {
		if several, ok := upperSeveral[c]; ok {
			b.WriteString(several)
		} else {
			b.WriteRune(unicode.ToUpper(c))
		}
	}
	return b.String()
}

// upperSeveral has every character whose upper case is more than one character (Unicode, SpecialCasing, the
// unconditional rows). golang.org/x/text/cases has the same and would add a quarter of a megabyte to every function; a
// test compares the two.
var upperSeveral = map[rune]string{
	'\u00DF': "SS",                 // ß
	'\u0149': "\u02BCN",            // ŉ
	'\u01F0': "J\u030C",            // ǰ
	'\u0390': "\u0399\u0308\u0301", // ΐ
	'\u03B0': "\u03A5\u0308\u0301", // ΰ
	'\u0587': "\u0535\u0552",       // և
	'\u1E96': "H\u0331",            // ẖ
	'\u1E97': "T\u0308",            // ẗ
	'\u1E98': "W\u030A",            // ẘ
	'\u1E99': "Y\u030A",            // ẙ
	'\u1E9A': "A\u02BE",            // ẚ
	'\u1F50': "\u03A5\u0313",       // ὐ
	'\u1F52': "\u03A5\u0313\u0300", // ὒ
	'\u1F54': "\u03A5\u0313\u0301", // ὔ
	'\u1F56': "\u03A5\u0313\u0342", // ὖ
	'\u1F80': "\u1F08\u0399",       // ᾀ
	'\u1F81': "\u1F09\u0399",       // ᾁ
	'\u1F82': "\u1F0A\u0399",       // ᾂ
	'\u1F83': "\u1F0B\u0399",       // ᾃ
	'\u1F84': "\u1F0C\u0399",       // ᾄ
	'\u1F85': "\u1F0D\u0399",       // ᾅ
	'\u1F86': "\u1F0E\u0399",       // ᾆ
	'\u1F87': "\u1F0F\u0399",       // ᾇ
	'\u1F88': "\u1F08\u0399",       // ᾈ
	'\u1F89': "\u1F09\u0399",       // ᾉ
	'\u1F8A': "\u1F0A\u0399",       // ᾊ
	'\u1F8B': "\u1F0B\u0399",       // ᾋ
	'\u1F8C': "\u1F0C\u0399",       // ᾌ
	'\u1F8D': "\u1F0D\u0399",       // ᾍ
	'\u1F8E': "\u1F0E\u0399",       // ᾎ
	'\u1F8F': "\u1F0F\u0399",       // ᾏ
	'\u1F90': "\u1F28\u0399",       // ᾐ
	'\u1F91': "\u1F29\u0399",       // ᾑ
	'\u1F92': "\u1F2A\u0399",       // ᾒ
	'\u1F93': "\u1F2B\u0399",       // ᾓ
	'\u1F94': "\u1F2C\u0399",       // ᾔ
	'\u1F95': "\u1F2D\u0399",       // ᾕ
	'\u1F96': "\u1F2E\u0399",       // ᾖ
	'\u1F97': "\u1F2F\u0399",       // ᾗ
	'\u1F98': "\u1F28\u0399",       // ᾘ
	'\u1F99': "\u1F29\u0399",       // ᾙ
	'\u1F9A': "\u1F2A\u0399",       // ᾚ
	'\u1F9B': "\u1F2B\u0399",       // ᾛ
	'\u1F9C': "\u1F2C\u0399",       // ᾜ
	'\u1F9D': "\u1F2D\u0399",       // ᾝ
	'\u1F9E': "\u1F2E\u0399",       // ᾞ
	'\u1F9F': "\u1F2F\u0399",       // ᾟ
	'\u1FA0': "\u1F68\u0399",       // ᾠ
	'\u1FA1': "\u1F69\u0399",       // ᾡ
	'\u1FA2': "\u1F6A\u0399",       // ᾢ
	'\u1FA3': "\u1F6B\u0399",       // ᾣ
	'\u1FA4': "\u1F6C\u0399",       // ᾤ
	'\u1FA5': "\u1F6D\u0399",       // ᾥ
	'\u1FA6': "\u1F6E\u0399",       // ᾦ
	'\u1FA7': "\u1F6F\u0399",       // ᾧ
	'\u1FA8': "\u1F68\u0399",       // ᾨ
	'\u1FA9': "\u1F69\u0399",       // ᾩ
	'\u1FAA': "\u1F6A\u0399",       // ᾪ
	'\u1FAB': "\u1F6B\u0399",       // ᾫ
	'\u1FAC': "\u1F6C\u0399",       // ᾬ
	'\u1FAD': "\u1F6D\u0399",       // ᾭ
	'\u1FAE': "\u1F6E\u0399",       // ᾮ
	'\u1FAF': "\u1F6F\u0399",       // ᾯ
	'\u1FB2': "\u1FBA\u0399",       // ᾲ
	'\u1FB3': "\u0391\u0399",       // ᾳ
	'\u1FB4': "\u0386\u0399",       // ᾴ
	'\u1FB6': "\u0391\u0342",       // ᾶ
	'\u1FB7': "\u0391\u0342\u0399", // ᾷ
	'\u1FBC': "\u0391\u0399",       // ᾼ
	'\u1FC2': "\u1FCA\u0399",       // ῂ
	'\u1FC3': "\u0397\u0399",       // ῃ
	'\u1FC4': "\u0389\u0399",       // ῄ
	'\u1FC6': "\u0397\u0342",       // ῆ
	'\u1FC7': "\u0397\u0342\u0399", // ῇ
	'\u1FCC': "\u0397\u0399",       // ῌ
	'\u1FD2': "\u0399\u0308\u0300", // ῒ
	'\u1FD3': "\u0399\u0308\u0301", // ΐ
	'\u1FD6': "\u0399\u0342",       // ῖ
	'\u1FD7': "\u0399\u0308\u0342", // ῗ
	'\u1FE2': "\u03A5\u0308\u0300", // ῢ
	'\u1FE3': "\u03A5\u0308\u0301", // ΰ
	'\u1FE4': "\u03A1\u0313",       // ῤ
	'\u1FE6': "\u03A5\u0342",       // ῦ
	'\u1FE7': "\u03A5\u0308\u0342", // ῧ
	'\u1FF2': "\u1FFA\u0399",       // ῲ
	'\u1FF3': "\u03A9\u0399",       // ῳ
	'\u1FF4': "\u038F\u0399",       // ῴ
	'\u1FF6': "\u03A9\u0342",       // ῶ
	'\u1FF7': "\u03A9\u0342\u0399", // ῷ
	'\u1FFC': "\u03A9\u0399",       // ῼ
	'\uFB00': "FF",                 // ﬀ
	'\uFB01': "FI",                 // ﬁ
	'\uFB02': "FL",                 // ﬂ
	'\uFB03': "FFI",                // ﬃ
	'\uFB04': "FFL",                // ﬄ
	'\uFB05': "ST",                 // ﬅ
	'\uFB06': "ST",                 // ﬆ
	'\uFB13': "\u0544\u0546",       // ﬓ
	'\uFB14': "\u0544\u0535",       // ﬔ
	'\uFB15': "\u0544\u053B",       // ﬕ
	'\uFB16': "\u054E\u0546",       // ﬖ
	'\uFB17': "\u0544\u053D",       // ﬗ
}
