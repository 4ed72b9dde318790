package template

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var rateForm = regexp.MustCompile(`^rate\(([1-9][0-9]{0,5}) (minute|hour|day)(s?)\)$`)

// rate reads rate(5 minutes). AWS requires the singular for one and the plural for more.
func rate(text string) (time.Duration, error) {
	parts := rateForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("%q is not a rate such as rate(5 minutes)", text)
	}
	count, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, err
	}
	if (count == 1) != (parts[3] == "") {
		return 0, fmt.Errorf("%q: one %s, several %ss", text, parts[2], parts[2])
	}
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour,
		"day": 24 * time.Hour}[strings.TrimSuffix(parts[2], "s")]
	return time.Duration(count) * unit, nil
}
