package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"checkout/internal/local/cloud"
)

const (
	previewed = 2000 // sessions, the most that a preview looks at
	// What a function of 512 MB lacks of the processor that one of 1,769 MB has makes each millisecond so much longer.
	slower = 1769.0 / 512
)

// BenchmarkPreview measures what a change of settings would have done to the most sessions that are looked at. Its
// time in a function of 512 MB is computed: that has less than a third of a processor.
func BenchmarkPreview(b *testing.B) {
	engines := startEngines(b)
	service := open(b, cloud.Config{
		Root: root, Engines: engines, Parameters: map[string]string{"OriginCheck": "off"},
	})
	visit(b, service)
	putGrant(b, engines, service, "admin")
	for i := range previewed {
		event := signed(b, "session/create.json", fmt.Sprintf("order-%d", i))
		if result, err := service.Invoke(b.Context(), "session", event); err != nil || !succeeded(result.Payload) {
			b.Fatalf("session %d: %v %s", i, err, result.Payload)
		}
	}
	s := &side{cloud: service, name: "adminread", event: func() []byte { return previewEvent(b) }}
	for sessions := 0; sessions < previewed; {
		result, err := service.Invoke(b.Context(), s.name, s.event())
		if err != nil {
			b.Fatal(err)
		}
		if sessions = sessionsIn(b, result.Payload); sessions < previewed {
			time.Sleep(time.Second) // the listing follows
		}
	}
	service.Kill(s.name)
	service.Reset()
	for b.Loop() {
		s.call(b, false)
	}
	p50, p90, cpu := percentile(s.times, 50), percentile(s.times, 90), s.processor()
	report(b, p50, p90)
	b.ReportMetric(cpu, "cpu-ms")
	b.ReportMetric(p50+cpu*(slower-1), "p50-ms-at-512MB")
}

func sessionsIn(b *testing.B, payload []byte) int {
	b.Helper()
	var response struct {
		StatusCode int
		Body       string
	}
	var preview struct{ Sessions int }
	if err := json.Unmarshal(payload, &response); err != nil || response.StatusCode != 200 {
		b.Fatalf("%v %s", err, payload)
	}
	if err := json.Unmarshal([]byte(response.Body), &preview); err != nil {
		b.Fatal(err)
	}
	return preview.Sessions
}

// previewEvent is the sample event of a check as one of a preview: of closing a MID that takes cards.
func previewEvent(b *testing.B) []byte {
	b.Helper()
	event := read(b, "events/adminsettings/check.json")
	event = bytes.ReplaceAll(event, []byte("/admin/v1/merchants/demo/check"), []byte("/admin/v1/preview/demo"))
	event = bytes.ReplaceAll(event, []byte("demo/check"), []byte("demo"))
	event = bytes.ReplaceAll(event, []byte("/admin/v1/merchants/{path+}"), []byte("/admin/v1/preview/{path+}"))
	return event
}
