package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/app/function"
	"checkout/internal/local/client"

	"github.com/aws/aws-lambda-go/lambda"
)

const (
	// orders is how many events for new orders are made before measuring. They are used again when their sessions are no
	// longer duplicates.
	orders = 1000
	// pause is the time of the service's clock between two calls, fewer than which a merchant is limited to.
	pause = 20 * time.Millisecond
)

// BenchmarkCreateSession measures the session function in memory, from event to response.
func BenchmarkCreateSession(b *testing.B) {
	s := inMemory(b)
	var events [][]byte
	for i := range orders {
		events = append(events, signed(b, "session/create.json", fmt.Sprintf("order-%d", i)))
	}
	i := 0
	measure(b, func() {
		s.call(b, "session", events[i%orders])
		i++
	})
}

// BenchmarkStatus measures the status function in memory, from event to response.
func BenchmarkStatus(b *testing.B) {
	s := inMemory(b)
	s.call(b, "session", signed(b, "session/create.json", "order-1"))
	event := signed(b, "status/by_order_id.json", "order-1")
	measure(b, func() { s.call(b, "status", event) })
}

// measure collects garbage as functions do.
func measure(b *testing.B, do func()) {
	defer debug.SetGCPercent(debug.SetGCPercent(function.GCPercent))
	b.ReportAllocs()
	for b.Loop() {
		do()
	}
}

// service is the service with everything in memory, as Lambda would call it.
type service struct {
	now      time.Time
	handlers map[string]lambda.Handler
}

func inMemory(b *testing.B) *service {
	b.Helper()
	s := &service{now: time.Now(), handlers: map[string]lambda.Handler{}}
	getenv := func(name string) string { return map[string]string{"BASE_URL": "https://checkout.example"}[name] }
	e, err := app.InMemory(getenv, app.Logger(io.Discard), func() time.Time { return s.now })
	if err != nil {
		b.Fatal(err)
	}
	merchants := bytes.ReplaceAll(read(b, "infra/merchants.json"), []byte("{SIMULATOR_URL}"), []byte("https://a.example"))
	if _, err := app.LoadMerchants(b.Context(), e.Merchants, merchants, "https://shop.example"); err != nil {
		b.Fatal(err)
	}
	for name, routes := range map[string]api.Routes{"session": api.Session(e.Creator), "status": api.Status(e.Statuses)} {
		s.handlers[name] = lambda.NewHandler(function.Gateway(e.API.Handler(routes)))
	}
	return s
}

// call calls a handler, which has to succeed.
func (s *service) call(b *testing.B, name string, event []byte) {
	s.now = s.now.Add(pause)
	if response, err := s.handlers[name].Invoke(b.Context(), event); err != nil || !succeeded(response) {
		b.Fatalf("%s: %v %s", name, err, response)
	}
}

func succeeded(response []byte) bool { return bytes.HasPrefix(response, []byte(`{"statusCode":200,`)) }

// signed is a sample event for the order or the payment of that number.
func signed(b *testing.B, file, number string) []byte {
	b.Helper()
	var event, body map[string]any
	if err := json.Unmarshal(read(b, "events/"+file), &event); err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal([]byte(event["body"].(string)), &body); err != nil {
		b.Fatal(err)
	}
	if order, ok := body["order"].(map[string]any); ok {
		order["number"] = number
	} else if body["order_id"] != nil {
		body["order_id"] = number
	} else {
		body["payment_id"] = number
	}
	changed, err := json.Marshal(client.Merchant{Password: "demo-password"}.Sign(body)) // of infra/merchants.json
	if err != nil {
		b.Fatal(err)
	}
	event["body"] = string(changed)
	text, err := json.Marshal(event)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// read reads a file of the repository.
func read(b *testing.B, name string) []byte {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		b.Fatal(err)
	}
	return text
}
