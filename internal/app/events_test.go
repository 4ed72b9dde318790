package app_test

import (
	"bytes"
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

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
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
	build, ok := app.Functions()[function]
	if !ok {
		t.Fatalf("there is no function %s", function)
	}
	answer, err := lambda.NewHandler(build(a.App)).Invoke(t.Context(), payload)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		t.Fatalf("%s answers %s: %v", function, answer, err)
	}
	switch {
	case response.StatusCode == 0: // no HTTP function
		return string(answer)
	case response.Headers["Location"] != "":
		return fmt.Sprint(response.StatusCode, " Location ", response.Headers["Location"])
	}
	return fmt.Sprint(response.StatusCode, " ", response.Body)
}

// TestSweepSample has something due when the schedule's event comes.
func TestSweepSample(t *testing.T) {
	w := open(t)
	w.queue.lose = func(string) (fails, vanishes bool) { return false, true }
	w.shop.visits("pen-1").pays("01/38")
	jobs := func() int { return strings.Count(w.queue.messages(), "job ") }
	if n := jobs(); n != 1 {
		t.Fatalf("%d messages of a payment: %s", n, w.queue.messages())
	}
	w.clock.move(time.Hour)
	payload, err := os.ReadFile(filepath.Join("..", "..", "events", "sweep", "every_minute.json"))
	if err != nil {
		t.Fatal(err)
	}
	var event events.EventBridgeEvent
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&event); err != nil || event.Source != "aws.events" || event.DetailType != "Scheduled Event" {
		t.Errorf("the sample is no event of a schedule: %+v %v", event, err)
	}
	sampleApp{w.app}.invoke(t, "sweep", payload)
	if n := jobs(); n != 2 {
		t.Errorf("the lost message was not sent again: %s", w.queue.messages())
	}
}
