package template

import (
	"regexp"
	"strings"
	"sync"
)

// patterns are those that were compared, by their text.
var patterns sync.Map

// Match compares a text with a pattern of IAM and CloudFront: * is any text, ? any one character.
func Match(pattern, text string) bool {
	compiled, ok := patterns.Load(pattern)
	if !ok {
		quoted := regexp.QuoteMeta(pattern)
		quoted = strings.ReplaceAll(strings.ReplaceAll(quoted, `\*`, `.*`), `\?`, `.`)
		compiled = regexp.MustCompile(`(?s)^` + quoted + `$`)
		patterns.Store(pattern, compiled)
	}
	return compiled.(*regexp.Regexp).MatchString(text)
}
