package app_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/queue"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// The samples are one story: each line is the next event of it, and what its
// function answers. Ids in the samples are those that this moment and this
// randomness make.
var sampleStory = []struct{ event, want string }{
	{"session/create.json", `200 {"redirect_url":"https://pay.example/?session=68e3048954558c4e8329b11cd805c0de9f2c41d07be85a3366e01f94c7d82ab5"}`},
	{"status/by_order_id.json", `"status":"prepare"`},
	{"page/next_screen.json", `"kind":"form"`},
	{"page/pay.json", `"kind":"wait"`},
	{"page/cancel.json", `"kind":"wait"`},
	{"status/by_payment_id.json", `"status":"prepare"`},
	{"connector/jobs.json", `{"batchItemFailures":[]}`}, // its card was sealed for nobody: declined
	{"status/by_payment_id.json", `"reason":"The card data can't be read."`},
	{"callback/callbacks.json", `{"batchItemFailures":[]}`},
	{"page/return.json", `303 Location https://pay.example/?session=68e3`},
	{"notify/notify.json", `404 {"error_code":0`}, // the sandbox was never asked
	{"notify/sandbox_step.json", `404 {"error_code":0`},
	{"notify/sandbox_finish.json", `404 {"error_code":0`},
	{"page/cancel.json", `"text":"cancelled"`},
	{"sweep/every_minute.json", `null`},
}

func TestSampleEvents(t *testing.T) {
	folder := filepath.Join("..", "..", "events")
	a := sampleService(t)
	var used []string
	for _, step := range sampleStory {
		payload, err := os.ReadFile(filepath.Join(folder, step.event))
		if err != nil {
			t.Fatal(err)
		}
		used = append(used, step.event)
		if got := a.invoke(t, filepath.Dir(step.event), payload); !strings.Contains(got, step.want) {
			t.Errorf("%s answers\n%s\nwithout\n%s", step.event, got, step.want)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no sample events", err)
	}
	for _, file := range files {
		if name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file); !slices.Contains(used, name) {
			t.Errorf("%s is in no story", name)
		}
	}
}

type sampleApp struct{ *app.Embedded }

func sampleService(t *testing.T) sampleApp {
	t.Helper()
	tail := uint64(0x8329b11cd805c0de) &^ (0b11 << 62)
	now := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(tail>>20) * time.Millisecond)
	env := map[string]string{"BASE_URL": "https://pay.example"}
	e, err := app.InMemory(func(name string) string { return env[name] }, app.Logger(t.Output()), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	random, err := hex.DecodeString("0005c0de" + "9f2c41d07be85a3366e01f94c7d82ab5" + "0003a7f1")
	if err != nil {
		t.Fatal(err)
	}
	e.Service.Random = func(n int) []byte { return random[:n] }
	merchants, err := os.ReadFile(filepath.Join("..", "..", "infra", "merchants.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.LoadMerchants(t.Context(), e.Store, merchants, "https://127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	return sampleApp{e}
}

// invoke gives an event to its function as Lambda would, and answers what it
// answers as one line.
func (a sampleApp) invoke(t *testing.T, function string, payload []byte) string {
	t.Helper()
	s := a.Service
	switch function {
	case "connector":
		return batch(t, queue.Jobs(s.Log, s.RunJob), payload)
	case "callback":
		return batch(t, queue.Callbacks(s.Log, s.SendCallback), payload)
	case "sweep":
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		return "null"
	}
	var request events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &request); err != nil {
		t.Fatal(err)
	}
	response, err := httpadapter.NewV2(a.API.Handler(function)).ProxyWithContext(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	if to := response.Headers["Location"]; to != "" {
		return "303 Location " + to
	}
	return fmt.Sprint(response.StatusCode, " ", response.Body)
}

func batch(t *testing.T, handle queue.Handler, payload []byte) string {
	t.Helper()
	var event events.SQSEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		t.Fatal(err)
	}
	response, err := handle(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
