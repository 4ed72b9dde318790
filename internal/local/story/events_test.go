package story

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/app/archives"
	"checkout/internal/app/function"
	"checkout/internal/merchant"
	"checkout/internal/operator/archive"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/overview"
	"checkout/internal/operator/signin"
	"checkout/internal/payer"
	"checkout/internal/queue"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/stream"
)

// The sample events are stories: each step is the next event and a part of what its function returns. The ids in the
// samples come from this time and this randomness. The orders are paid before a story begins.
var sampleStories = []struct {
	name   string
	before []sampleOrder
	steps  []sampleStep
}{
	{"a visit", nil, []sampleStep{
		{"session/create.json", `200 {"redirect_url":"https://pay.example/?session=` +
			`5413edb6d3629b288329b11cd805c0de9f2c41d07be85a3366e01f94c7d82ab5&language=en"}`},
		{"session/explain.json", `"methods":[{"id":"card",`},
		{"status/by_order_id.json", `"status":"prepare"`},
		{"page/next_screen.json", `"kind":"form"`},
		{"page/more_time.json", `"lifetime_ms":7200000`},
		{"page/merchant_session.json", `can't be opened here`},
		{"page/pay.json", `"kind":"wait"`},
		{"page/second-form.json", `"kind":"wait"`}, // there is no second form
		{"page/another.json", `"kind":"wait"`},     // the payer is not elsewhere
		{"page/cancel.json", `"kind":"wait"`},
		{"page/remove_card.json", `400 {"error_code":0,`}, // it offers no saved card
		{"status/by_payment_id.json", `"status":"prepare"`},
		{"connector/jobs.json", `{"batchItemFailures":[]}`}, // its card can't be decrypted: declined
		{"status/by_payment_id.json", `"reason":"The card data can't be read."`},
		{"callback/callbacks.json", `{"batchItemFailures":[]}`},
		{"page/return.json", `303 Location https://pay.example/?session=5413`},
		{"notify/notify.json", `"Payment not found"`}, // the sandbox never received it
		{"notify/notify_again.json", `404 {"error_code":0`},
		{"notify/sandbox_step.json", `404 {"error_code":0`},
		{"notify/sandbox_finish.json", `404 {"error_code":0`},
		{"notify/sandbox_wallet.json", `200 {"token":"{`},
		{"page/cancel.json", `"text":"cancelled"`},
		{"unknown/unknown.json", `404 {"error_code":0,"error_message":"Not found."`},
		{"unknown/reports.json", `204 `},
		{"index/changes.json", `{"batchItemFailures":[]}`},
		{"archive/changes.json", `{"batchItemFailures":[]}`},
		{"archive/every_hour.json", `{"batchItemFailures":[]}`},
		{"sweep/every_minute.json", `null`},
		{"guard/every_five_minutes.json", `null`},
	}},
	{"what follows a payment", []sampleOrder{
		{"order-2001", "", "01/38"},
		{"order-2002", `"auth":true,`, "01/38"},
		{"order-2003", `"auth":true,`, "01/38"},
	}, []sampleStep{
		{"refund/part.json", `,"result":"accepted"}`},
		{"refund/part.json", `,"result":"accepted"}`}, // a repeat with the same Idempotency-Key
		{"refund/rest.json", `,"result":"accepted"}`},
		{"refund/rest.json", `"amount: Nothing is left to refund."`},
		{"capture/part.json", `,"status":"settled","trans_status":"SUCCESS",`},
		{"capture/part.json", `"Capture is not allowed."`},
		{"void/void.json", `,"status":"void","trans_status":"SUCCESS","payment_status":"void",`},
		{"void/void.json", `"Void is not allowed."`},
	}},
	{"what operators ask for", []sampleOrder{{"order-2001", "", "01/38"}}, []sampleStep{
		{"adminread/me.json", `"grants":[{"who":"arn:aws:sts::111122223333:assumed-role/Finance/*","role":"finance",`},
		{"adminread/find.json", `"id":"b7bbd316-2a4e-87fd-8329-b11cd803a7f1","state":"settled",`},
		{"adminread/payment.json", `"means":"10.00 USD was paid. `},
		{"adminread/every_morning.json", `["local, `},
		{"adminact/refund.json", `"decided":true,"amount":"2.50","left":"7.50"}`},
		{"adminact/refund.json", `"decided":true,"amount":"2.50","left":"7.50"}`}, // a repeat with the same Idempotency-Key
		{"adminact/look_up.json", `Your roles don't have the right \"look-up\" for that.`},
		{"adminact/export.json", "200 merchant,mode,payment_id,order,type,status,"},
		{"adminsettings/check.json", `Your roles don't have the right \"settings\" for that.`},
	}},
	{"an operator signs in", nil, []sampleStep{
		{"adminlogin/login.json", `303 Location https://id.example/`},
		{"adminlogin/callback.json", `303 Location /`},
		{"adminlogin/refresh.json", `200 {"who":"oidc/id.example/ann","email":"ann@pens.example","ends_at":"`},
		{"adminlogin/logout.json", `200 {}`},
		{"adminlogin/refresh.json", `401 {"error_code":0,"error_message":"You are not signed in, or not any more."`},
		{"adminlogin/token.json", `401 {"error_code":0,`}, // no browser has brought this code
	}},
	{"a chain whose first charge is softly declined", []sampleOrder{
		{"order-2004", `"recurring_init":true,`, "02/41"},
	}, []sampleStep{
		{"recurring/charge.json", `"status":"decline","reason":"Insufficient funds, try again later."`},
		{"retry/retry.json", `,"result":"accepted"}`},
		{"retry/retry.json", `"Retry is not allowed."`},
		{"recurring/stop.json", `"result":"already_stopped"`},
	}},
}

type sampleStep struct{ event, want string }

// sampleOrder is an order that is paid with the card of that expiry date. field is one more member of its request, with
// a comma.
type sampleOrder struct{ number, field, expiry string }

func TestSampleEvents(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "events")
	var used []string
	for _, story := range sampleStories {
		t.Run(story.name, func(t *testing.T) {
			a := sampleService(t)
			for _, order := range story.before {
				a.pay(t, order)
			}
			if err := a.IndexChanges(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, step := range story.steps {
				payload, err := os.ReadFile(filepath.Join(folder, step.event))
				if err != nil {
					t.Fatal(err)
				}
				used = append(used, step.event)
				if got := a.invoke(t, filepath.Dir(step.event), payload); !strings.Contains(got, step.want) {
					t.Errorf("%s returns\n%s\nwithout\n%s", step.event, got, step.want)
				}
				a.clock.Move(time.Second) // so that no two ids are the same
			}
		})
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

type sampleApp struct {
	*app.Embedded
	clock *Clock
}

func sampleService(t *testing.T) sampleApp {
	t.Helper()
	tail := uint64(0x8329b11cd805c0de) &^ (0b11 << 62)
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(tail>>20) * time.Millisecond)
	a := sampleApp{clock: &Clock{now: start}}
	getenv := func(name string) string { return map[string]string{"BASE_URL": "https://pay.example"}[name] }
	var err error
	if a.Embedded, err = app.InMemory(getenv, app.Logger(t.Output()), a.clock.Now); err != nil {
		t.Fatal(err)
	}
	random, err := hex.DecodeString("0005c0de" + "9f2c41d07be85a3366e01f94c7d82ab5" + "0003a7f1" + "5b1e08c3d6f4927a")
	if err != nil {
		t.Fatal(err)
	}
	a.Core.Random = func(n int) []byte { return bytes.Clone(random[:n]) }
	a.Core.Pause = func(ctx context.Context, _ time.Duration) error {
		a.Queue.Deliver(ctx)
		return nil
	}
	merchants, err := os.ReadFile(filepath.Join("..", "..", "..", "infra", "merchants.json"))
	if err != nil {
		t.Fatal(err)
	}
	merchants = bytes.ReplaceAll(merchants, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	if _, err := app.LoadMerchants(t.Context(), a.Merchants, merchants, "https://127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	finance := grant.Grant{
		Who: "arn:aws:sts::111122223333:assumed-role/Finance/*", Role: grant.Finance, Mode: grant.Both,
		Merchants: []string{grant.AllMerchants},
	}
	grants := store.Encode(store.GrantsKey(), 0, map[string]any{"grants": []grant.Grant{finance}})
	if err := a.Store.Save(t.Context(), start, grants); err != nil {
		t.Fatal(err)
	}
	return a
}

// pay creates a session for an order and pays it.
func (a sampleApp) pay(t *testing.T, order sampleOrder) {
	t.Helper()
	shop := Shop{merchant: settings.Merchant{Password: "demo-password"}}
	request := fmt.Sprintf(`{"merchant_key":"demo-test","operation":"purchase","success_url":"https://shop.example/paid",
		"order":{"number":%q,"amount":"10.00","currency":"USD","description":"A gift"},
		"customer":{"email":"john@example.com"},
		"billing_address":{"country":"DE","city":"Berlin","address":"Torstrasse 1","zip":"10119",
			"phone":"347771112233"},
		%s"hash":%q}`, order.number, order.field, shop.Hash(order.number, "10.00", "USD", "A gift"))
	created, err := a.Creator.CreateSession(t.Context(), merchant.Call{Body: []byte(request)})
	if err != nil {
		t.Fatal(err)
	}
	_, session, _ := strings.Cut(created.(merchant.Created).RedirectURL, "?session=")
	form, err := a.Page.NextScreen(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	pay := (&Visit{w: &World{t: t}}).Fill(form, paymentCard(t, order.expiry))
	if _, err := a.Page.Pay(t.Context(), session, pay, payer.Payer{IP: "203.0.113.7"}); err != nil {
		t.Fatal(err)
	}
	a.Queue.Deliver(t.Context())
}

// handlers are those of the functions, built over one store. What needs AWS or a site does nothing.
func (a sampleApp) handlers() map[string]any {
	public := func(routes api.Routes) any { return function.Gateway(a.API.Handler(routes)) }
	admin := func(routes api.Routes) any { return function.AdminGateway(a.API.Handler(routes)) }
	log := a.Core.Log
	return map[string]any{
		"session": public(api.Session(a.Creator)), "status": public(api.Status(a.Statuses)),
		"capture": public(api.Capture(a.FollowUps)), "refund": public(api.Refund(a.FollowUps)),
		"void": public(api.Void(a.FollowUps)), "recurring": public(api.Recurring(a.Recurrer)),
		"retry": public(api.Retry(a.Recurrer)), "page": public(api.Page(a.Page)),
		"notify":  public(api.Notify(a.Core, a.Notices, a.Sandbox)),
		"unknown": public(api.Reports(a.Core)),
		"adminread": function.WithDigest(function.AdminGateway(a.API.Handler(slices.Concat(
			api.AdminRead(a.People, a.Reader, a.Auditor), api.AdminPreview(a.People, a.Previews)))),
			func(ctx context.Context) ([]string, error) { return overview.Digest(ctx, a.Core) }),
		"adminlogin": public(api.AdminLogin(signin.NewSessions(a.Store, a.Core.Now, a.Core.Random), sampleProvider{},
			"https://admin.example")),
		"adminact": admin(api.AdminAct(a.People, a.Reader, a.Actor, a.Previews.Trials)),

		"adminsettings": admin(api.AdminSettings(a.People, a.Editor)),
		"connector":     queue.Jobs(log, a.Runner.RunJob), "callback": queue.Callbacks(log, a.Callbacks.SendCallback),
		"sweep": function.Scheduled(a.Sweeper.Sweep),
		"guard": function.Scheduled(func(context.Context) error { return nil }),
		"index": stream.NewHandler(log, stream.Record.Partition,
			func(context.Context, []string) ([]string, error) { return nil, nil }),
		"archive": archives.Handler(log,
			func(context.Context, []archive.Change) ([]archive.Change, error) { return nil, nil },
			func(context.Context) (int, error) { return 0, nil }),
	}
}

// sampleProvider is a provider that knows one person.
type sampleProvider struct{}

func (sampleProvider) SignInURL(context.Context, signin.Attempt) (string, error) {
	return "https://id.example/", nil
}

func (sampleProvider) Identify(context.Context, string, signin.Attempt) (signin.Identity, error) {
	return signin.Identity{Issuer: "https://id.example", Subject: "ann", Email: "ann@pens.example"}, nil
}

// invoke gives an event to its function as Lambda does, and returns the output as one line.
func (a sampleApp) invoke(t *testing.T, function string, payload []byte) string {
	t.Helper()
	handler := a.handlers()[function]
	if handler == nil {
		t.Fatalf("there is no function %s", function)
	}
	output, err := lambda.NewHandler(handler).Invoke(t.Context(), payload)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	if output[0] == '[' { // the digest
		return string(output)
	}
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(output, &response); err != nil {
		t.Fatalf("%s returns %s: %v", function, output, err)
	}
	switch {
	case response.StatusCode == 0: // no HTTP function
		return string(output)
	case response.Headers["Location"] != "":
		return fmt.Sprint(response.StatusCode, " Location ", response.Headers["Location"])
	}
	return fmt.Sprint(response.StatusCode, " ", bodyOf(t, response))
}

// bodyOf returns the body of a response, which may be compressed.
func bodyOf(t *testing.T, response events.APIGatewayV2HTTPResponse) string {
	t.Helper()
	if !response.IsBase64Encoded {
		return response.Body
	}
	body, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(response.Body)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The event of the schedule starts a sweep that sends a lost message again.
func TestSweepSample(t *testing.T) {
	w := open(t)
	w.queue.lose = loseAll
	w.shop.visits("pen-1").pays("01/38")
	jobs := func() int { return strings.Count(w.queue.messages(), "job ") }
	if n := jobs(); n != 1 {
		t.Fatalf("%d messages of a payment: %s", n, w.queue.messages())
	}
	w.clock.Move(time.Hour)
	payload, err := os.ReadFile(filepath.Join("..", "..", "..", "events", "sweep", "every_minute.json"))
	if err != nil {
		t.Fatal(err)
	}
	var event events.EventBridgeEvent
	err = store.ReadExactly(payload, &event)
	if err != nil || event.Source != "aws.events" || event.DetailType != "Scheduled Event" {
		t.Errorf("the sample is no event of a schedule: %+v %v", event, err)
	}
	sampleApp{Embedded: w.app}.invoke(t, "sweep", payload)
	if n := jobs(); n != 2 {
		t.Errorf("the lost message was not sent again: %s", w.queue.messages())
	}
}
