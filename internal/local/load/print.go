package load

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// printer prints steps as rows of a table, or as lines of JSON.
type printer struct {
	out  io.Writer
	json bool
}

// narrow and wide are the widths of columns, in characters.
const narrow, wide = 8, 18

func (p printer) head() error {
	if p.json {
		return nil
	}
	var row strings.Builder
	fmt.Fprintf(&row, "%*s%*s%*s", narrow, "offered", narrow, "done/s", narrow, "errors")
	for _, name := range timed {
		fmt.Fprintf(&row, "%*s", wide, name)
	}
	_, err := fmt.Fprintf(p.out, "checkouts a second; times are p50/p95/p99 in ms\n%s\n", &row)
	return err
}

func (p printer) step(s Step) error {
	if p.json {
		return json.NewEncoder(p.out).Encode(s)
	}
	errors := 0
	for _, count := range s.Errors {
		errors += count
	}
	var row strings.Builder
	fmt.Fprintf(&row, "%*d%*s%*d", narrow, s.Offered, narrow, tenths(s.Tenths), narrow, errors)
	for _, name := range timed {
		t := s.Times[name]
		fmt.Fprintf(&row, "%*s", wide, ms(t.P50)+"/"+ms(t.P95)+"/"+ms(t.P99))
	}
	row.WriteString("\n")
	if all := s.failures(); len(all) > 0 {
		fmt.Fprintf(&row, "%*s%s\n", narrow, "", strings.Join(all, ", "))
	}
	if s.Broken != "" {
		fmt.Fprintf(&row, "%*stoo much: %s\n", narrow, "", s.Broken)
	}
	_, err := io.WriteString(p.out, row.String())
	return err
}

func (p printer) end(c Conclusion) error {
	if p.json {
		return json.NewEncoder(p.out).Encode(c)
	}
	_, err := fmt.Fprintln(p.out, c)
	return err
}

// ms is a number of microseconds in milliseconds.
func ms(us int64) string {
	if us < 10_000 {
		return fmt.Sprintf("%d.%d", us/1000, us%1000/100)
	}
	return fmt.Sprint((us + 500) / int64(time.Millisecond/time.Microsecond))
}
