package store

import (
	"strings"
	"time"
)

// AuditTTL is for how long an audit document is stored. PCI DSS 10.5.1 asks for twelve months.
const AuditTTL = 400 * 24 * time.Hour

// AuditDay returns the day of an audit document, by its key. It returns false for all other keys.
func AuditDay(key Key) (day time.Time, ok bool) {
	text, inLog := strings.CutPrefix(key.Partition, "audit/")
	text, _, hasShard := strings.Cut(text, "/")
	day, err := time.Parse(time.DateOnly, text)
	return day, inLog && hasShard && err == nil
}
