package handle

import (
	"regexp"
	"sync"
)

// expression compiles an expression when something is searched for: functions of payments never do.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
