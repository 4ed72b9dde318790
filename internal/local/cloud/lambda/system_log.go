package lambda

import (
	"fmt"
	"time"
)

// systemLines are the log lines that Lambda itself writes about a call in the log format JSON; with the level WARN only
// about failed calls.
func (f *function) systemLines(c *call, took time.Duration, result Result) []string {
	status := "success"
	if result.FunctionError != "" {
		status = "error"
	} else if f.spec.SystemLog == "WARN" {
		return nil
	}
	const layout = "2006-01-02T15:04:05.000Z"
	began := c.began.UTC()
	start := fmt.Sprintf(`{"time":"%s","type":"platform.start","record":{"requestId":"%s","version":"$LATEST"}}`,
		began.Format(layout), c.id)
	us := took.Microseconds()
	report := fmt.Sprintf(`{"time":"%s","type":"platform.report","record":{"requestId":"%s",`+
		`"metrics":{"durationMs":%d.%03d,"billedDurationMs":%d,`+
		`"memorySizeMB":%d,"maxMemoryUsedMB":%d},"status":"%s"}}`, began.Add(took).Format(layout), c.id, us/1000, us%1000,
		(us+999)/1000,
		f.spec.MemoryMB, f.spec.MemoryMB/10, status)
	if f.spec.SystemLog == "WARN" {
		return []string{report}
	}
	return []string{start, report}
}
