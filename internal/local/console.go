package local

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// LogTo is where a run writes its log: to out, as one short line for each request, each try of a callback and each
// unknown outcome and refused action and with errors in full, or with LOG=json as on AWS.
func LogTo(getenv func(string) string, out io.Writer) io.Writer {
	if getenv("LOG") == "json" {
		return out
	}
	return &console{out: out}
}

// console makes readable lines of the service's JSON lines. Other lines are written unchanged.
type console struct {
	mu  sync.Mutex
	out io.Writer
}

func (c *console) Write(lines []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for line := range bytes.Lines(lines) {
		if text := readable(string(line)); text != "" {
			if _, err := io.WriteString(c.out, text+"\n"); err != nil {
				return 0, err
			}
		}
	}
	return len(lines), nil
}

// readable is a readable form of a log line, "" for one that is not shown.
func readable(line string) string {
	line = strings.TrimRight(line, "\n")
	var attributes map[string]any
	start := strings.Index(line, "{")
	if start < 0 {
		return line
	}
	decoder := json.NewDecoder(strings.NewReader(line[start:]))
	decoder.UseNumber()
	if decoder.Decode(&attributes) != nil || attributes["msg"] == nil {
		return line
	}
	at, _ := attributes["time"].(string)
	if parsed, err := time.Parse(time.RFC3339Nano, at); err == nil {
		at = parsed.Format(time.TimeOnly)
	}
	message := fmt.Sprint(attributes["msg"])
	switch {
	case message == "request":
		return at + "  " + requestLine(attributes)
	case message == "callback":
		return at + "  " + callbackLine(attributes)
	case message == "outcome unknown", message == "required action refused":
		return fmt.Sprintf("%s  %s%s", at, message,
			others(attributes, "request", "stack", "unknown_outcomes", "refused_actions"))
	case attributes["level"] == "INFO" || attributes["level"] == "DEBUG":
		return ""
	}
	return fmt.Sprintf("%s  %v  %s%s", at, attributes["level"], message, others(attributes, "request"))
}

func requestLine(attributes map[string]any) string {
	route := strings.TrimSpace(fmt.Sprint(attributes["route"]))
	line := fmt.Sprintf("%v  %s  %v ms", attributes["status"], route, attributes["ms"])
	for _, name := range []string{"paths", "error"} {
		if text, _ := attributes[name].(string); strings.TrimSpace(text) != "" {
			line += "  " + name + ": " + text
		}
	}
	return line
}

func callbackLine(attributes map[string]any) string {
	line := fmt.Sprintf("callback %v  %v, try %v", attributes["callback"], attributes["state"], attributes["tries"])
	if status := fmt.Sprint(attributes["status"]); status != "0" {
		line += ", HTTP " + status
	}
	if text, _ := attributes["error"].(string); text != "" {
		line += ": " + text
	}
	return line
}

// others are a line's other attributes, in the order of their names.
func others(attributes map[string]any, besides ...string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if !slices.Contains(append(besides, "time", "level", "msg", "_aws"), name) {
			fmt.Fprintf(&b, "  %s: %v", name, attributes[name])
		}
	}
	return b.String()
}
