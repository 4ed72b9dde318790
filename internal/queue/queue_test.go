package queue

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// sent is the body of a SendMessage request.
type sent struct {
	QueueUrl, MessageBody string
	DelaySeconds          int
	MessageGroupId        string
}

// fakeSQS returns a client whose messages go to the returned list, or which fails with status.
func fakeSQS(t *testing.T, status int) (*sqs.Client, *[]sent) {
	t.Helper()
	var messages []sent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var message sent
		err := json.NewDecoder(r.Body).Decode(&message)
		if target := r.Header.Get("X-Amz-Target"); err != nil || target != "AmazonSQS.SendMessage" {
			t.Errorf("got %s, %v", target, err)
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(status)
		if status != http.StatusOK {
			io.WriteString(w, `{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"no such queue"}`)
			return
		}
		messages = append(messages, message)
		sum := md5.Sum([]byte(message.MessageBody))
		json.NewEncoder(w).Encode(map[string]string{"MessageId": "m1", "MD5OfMessageBody": hex.EncodeToString(sum[:])})
	}))
	t.Cleanup(server.Close)
	return sqs.New(sqs.Options{
		Region:           "eu-central-1",
		BaseEndpoint:     aws.String(server.URL),
		Credentials:      credentials.NewStaticCredentialsProvider("id", "secret", ""),
		RetryMaxAttempts: 1,
	}), &messages
}

const (
	jobURL      = "https://sqs.example/1/jobs"
	callbackURL = "https://sqs.example/1/callbacks"
)

var urls = URLs{
	Jobs: jobURL, TestJobs: jobURL + "-test",
	Callbacks: callbackURL, SlowCallbacks: callbackURL + "-slow", TestCallbacks: callbackURL + "-test",
}

func TestSender(t *testing.T) {
	client, messages := fakeSQS(t, http.StatusOK)
	sender := NewSender(client, urls)
	job := payment.JobMessage{PaymentID: "p1", SessionID: "s1"}
	for _, delay := range []time.Duration{
		0, -time.Second, time.Millisecond, time.Minute, callback.MaxDelay, 24 * time.Hour,
	} {
		if err := sender.SendJob(t.Context(), job, delay); err != nil {
			t.Fatal(err)
		}
	}
	told := callback.Message{PaymentID: "p1", Seq: 2, Merchant: "a pen shop"}
	if err := sender.SendCallback(t.Context(), told, 5*time.Minute); err != nil {
		t.Fatal(err)
	}
	job.Test, job.Merchant = true, "a pen shop"
	if err := sender.SendJob(t.Context(), job, 0); err != nil {
		t.Fatal(err)
	}
	for _, m := range []callback.Message{{PaymentID: "p1", Seq: 3, Test: true}, {PaymentID: "p1", Seq: 4, Slow: true}} {
		if err := sender.SendCallback(t.Context(), m, 0); err != nil {
			t.Fatal(err)
		}
	}
	const body = `{"payment_id":"p1","session_id":"s1"}`
	const group = "25936c74bc611ffbdf199c09a82e6b70"
	want := []sent{
		{jobURL, body, 0, ""}, {jobURL, body, 0, ""}, {jobURL, body, 1, ""}, {jobURL, body, 60, ""}, {jobURL, body, 900, ""},
		{jobURL, body, 900, ""},
		{callbackURL, `{"payment_id":"p1","seq":2,"merchant":"a pen shop"}`, 300, group},
		{jobURL + "-test", `{"payment_id":"p1","session_id":"s1","test":true,"merchant":"a pen shop"}`, 0, group},
		{callbackURL + "-test", `{"payment_id":"p1","seq":3,"test":true}`, 0, ""},
		{callbackURL + "-slow", `{"payment_id":"p1","seq":4,"slow":true}`, 0, ""},
	}
	if !reflect.DeepEqual(*messages, want) {
		t.Errorf("sent %v", *messages)
	}
}

// Several messages are sent in one request, and those of it that SQS refuses are counted.
func TestSenderSendsBatches(t *testing.T) {
	type entry struct{ Id, MessageBody string }
	var got []string
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var batch struct {
			QueueUrl string
			Entries  []entry
		}
		err := json.NewDecoder(r.Body).Decode(&batch)
		if target := r.Header.Get("X-Amz-Target"); err != nil || target != "AmazonSQS.SendMessageBatch" {
			t.Errorf("got %s, %v", target, err)
		}
		successful := []map[string]string{}
		for _, e := range batch.Entries[1:] {
			got = append(got, batch.QueueUrl+" "+e.Id+" "+e.MessageBody)
			sum := md5.Sum([]byte(e.MessageBody))
			successful = append(successful, map[string]string{
				"Id": e.Id, "MessageId": "m", "MD5OfMessageBody": hex.EncodeToString(sum[:]),
			})
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{
			"Successful": successful, "Failed": []map[string]any{{"Id": "0", "Code": "InternalError", "SenderFault": false}},
		})
	}))
	defer server.Close()
	sender := NewSender(sqs.New(sqs.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
	}), urls)
	jobs := []payment.JobMessage{{PaymentID: "p0"}, {PaymentID: "p1"}, {PaymentID: "p2", Chain: true}}
	if refused, err := sender.SendJobs(t.Context(), jobs); refused != 1 || err != nil {
		t.Errorf("%d refused, %v", refused, err)
	}
	callbacks := []callback.Message{{PaymentID: "p0", Seq: 1}, {PaymentID: "p1", Seq: 2}}
	if refused, err := sender.SendCallbacks(t.Context(), callbacks); refused != 1 || err != nil {
		t.Errorf("%d refused, %v", refused, err)
	}
	for i := range jobs {
		jobs[i].Test, callbacks[i%2].Test = true, true
	}
	_, errJobs := sender.SendJobs(t.Context(), jobs)
	_, errCallbacks := sender.SendCallbacks(t.Context(), callbacks)
	if errJobs != nil || errCallbacks != nil {
		t.Error(errJobs, errCallbacks)
	}
	want := []string{
		jobURL + ` 1 {"payment_id":"p1","session_id":""}`,
		jobURL + ` 2 {"payment_id":"p2","session_id":"","chain":true}`,
		callbackURL + ` 1 {"payment_id":"p1","seq":2}`,
		jobURL + `-test 1 {"payment_id":"p1","session_id":"","test":true}`,
		jobURL + `-test 2 {"payment_id":"p2","session_id":"","chain":true,"test":true}`,
		callbackURL + `-test 1 {"payment_id":"p1","seq":2,"test":true}`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("sent %q", got)
	}
	status = http.StatusForbidden
	if _, err := sender.SendJobs(t.Context(), jobs); err == nil {
		t.Error("a request that was refused as a whole is no error")
	}
}

func TestSenderFails(t *testing.T) {
	client, _ := fakeSQS(t, http.StatusBadRequest)
	err := NewSender(client, urls).SendJob(t.Context(), payment.JobMessage{PaymentID: "p1"}, 0)
	if err == nil || !strings.Contains(err.Error(), "QueueDoesNotExist") {
		t.Fatalf("returned %v", err)
	}
}

// batch makes an event, as Lambda sends it, of messages m0, m1 ...
func batch(t *testing.T, bodies ...string) events.SQSEvent {
	t.Helper()
	var records []map[string]any
	for i, body := range bodies {
		records = append(records, map[string]any{
			"messageId": "m" + strconv.Itoa(i), "receiptHandle": "r", "body": body,
			"attributes":  map[string]string{"ApproximateReceiveCount": "3"},
			"eventSource": "aws:sqs", "eventSourceARN": "arn:aws:sqs:eu-central-1:1:jobs", "awsRegion": "eu-central-1",
		})
	}
	raw, err := json.Marshal(map[string]any{"Records": records})
	if err != nil {
		t.Fatal(err)
	}
	var event events.SQSEvent
	if err := json.Unmarshal(raw, &event); err != nil {
		t.Fatal(err)
	}
	return event
}

// responseOf calls a handler and returns the JSON of its response.
func responseOf(t *testing.T, handler Handler, event events.SQSEvent) string {
	t.Helper()
	response, err := handler(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// failures is the JSON of a response in which these messages failed.
func failures(ids ...string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprintf(`{"itemIdentifier":%q}`, id)
	}
	return `{"batchItemFailures":[` + strings.Join(list, ",") + `]}`
}

func logTo(out io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(out, nil)) }

func TestJobsReturnsWhatFailed(t *testing.T) {
	var out bytes.Buffer
	var mu sync.Mutex
	got := map[payment.JobMessage]int{}
	handler := Jobs(logTo(&out), func(_ context.Context, message payment.JobMessage) error {
		mu.Lock()
		got[message]++
		mu.Unlock()
		switch message.PaymentID {
		case "fails":
			return errors.New("no provider")
		case "panics":
			panic("4111111111111111")
		case "panics in the runtime":
			var none *payment.Payment
			none.Status = ""
		}
		return nil
	})
	event := batch(t,
		`{"payment_id":"good","session_id":"s"}`,
		`{"payment_id":"fails","session_id":"s"}`,
		`{"payment_id":"panics","session_id":"s"}`,
		`{"payment_id":"panics in the runtime","session_id":"s"}`,
		`no JSON kept for us`,
		`{"payment_id":"p","of a later release":"kept for us"}`,
		`{"payment_id":"p"}{"payment_id":"q"}`,
		`{"session_id":"s"}`,
		`null`,
		``,
		`{"payment_id":"also good","session_id":"s"}`,
	)
	want := failures("m1", "m2", "m3", "m4", "m6", "m7", "m8", "m9")
	if s := responseOf(t, handler, event); s != want {
		t.Errorf("returned %s", s)
	}
	good := payment.JobMessage{PaymentID: "good", SessionID: "s"}
	alsoGood := payment.JobMessage{PaymentID: "also good", SessionID: "s"}
	if got[good] != 1 || got[alsoGood] != 1 || got[payment.JobMessage{PaymentID: "p"}] != 1 || len(got) != 6 {
		t.Errorf("ran %v", got)
	}
	logged := out.String()
	for _, part := range []string{
		`"message_id":"m1"`, "no provider", "payment fails", `"message_id":"m4"`, "unreadable", "nil pointer",
		`"receives":"3"`,
	} {
		if !strings.Contains(logged, part) {
			t.Errorf("the log misses %s", part)
		}
	}
	for _, secret := range []string{"411111", "kept for us"} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log shows %s", secret)
		}
	}
}

func TestCallbacksReadTheirMessages(t *testing.T) {
	var mu sync.Mutex
	var got []callback.Message
	handler := Callbacks(logTo(io.Discard), func(_ context.Context, message callback.Message) error {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, message)
		return nil
	})
	event := batch(t,
		`{"payment_id":"p","seq":1}`, `{"payment_id":"p","seq":0}`, `{"payment_id":"p","seq":"1"}`, `{"seq":1}`,
	)
	if s := responseOf(t, handler, event); s != failures("m1", "m2", "m3") {
		t.Errorf("returned %s", s)
	}
	if !reflect.DeepEqual(got, []callback.Message{{PaymentID: "p", Seq: 1}}) {
		t.Errorf("ran %v", got)
	}
}

// Lines that are logged while a message is handled, and that of its failure, have the id of the request that caused it.
func TestCauseOfAMessageIsLogged(t *testing.T) {
	for name, fails := range map[string]func() error{
		"fails": func() error { return errors.New("no provider") }, "panics": func() error { panic("no provider") },
	} {
		var out bytes.Buffer
		log := slog.New(fault.NewLogHandler(slog.NewJSONHandler(&out, nil)))
		handler := Jobs(log, func(ctx context.Context, _ payment.JobMessage) error {
			log.InfoContext(ctx, "at work")
			return fails()
		})
		responseOf(t, handler, batch(t, `{"payment_id":"p","cause":"request-1"}`, `{"payment_id":"p"}`))
		if got := strings.Count(out.String(), `"request":"request-1"`); got != 2 || strings.Count(out.String(), "\n") != 4 {
			t.Errorf("%s: %d lines have the request: %s", name, got, out.String())
		}
	}
}

func TestSuccessIsAnEmptyList(t *testing.T) {
	handler := Jobs(logTo(io.Discard), func(context.Context, payment.JobMessage) error { return nil })
	for _, event := range []events.SQSEvent{{}, batch(t, `{"payment_id":"p"}`)} {
		if s := responseOf(t, handler, event); s != failures() {
			t.Errorf("returned %s", s)
		}
	}
}

// Each callback of a batch waits until all of them are running.
func TestSlowMerchantDelaysNoOther(t *testing.T) {
	var arrived atomic.Int32
	all := make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	handler := Callbacks(logTo(io.Discard), func(ctx context.Context, _ callback.Message) error {
		if arrived.Add(1) == concurrency {
			close(all)
		}
		select {
		case <-all:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	bodies := make([]string, concurrency)
	for i := range bodies {
		bodies[i] = `{"payment_id":"p","seq":` + strconv.Itoa(i+1) + `}`
	}
	response, err := handler(ctx, batch(t, bodies...))
	if err != nil || len(response.BatchItemFailures) != 0 {
		t.Fatalf("returned %v, %v", response, err)
	}
}

// Each job waits until as many jobs are running as may, so that one too many would show.
func TestConcurrencyIsBounded(t *testing.T) {
	var running, most atomic.Int32
	full, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	handler := Jobs(logTo(io.Discard), func(ctx context.Context, _ payment.JobMessage) error {
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == concurrency {
			once.Do(func() { close(full) })
		}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	bodies := make([]string, 5*concurrency)
	for i := range bodies {
		bodies[i] = `{"payment_id":"p` + strconv.Itoa(i) + `"}`
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	go func() {
		select {
		case <-full:
		case <-ctx.Done():
		}
		// If another job could start, it would start now.
		for range 1000 {
			runtime.Gosched()
		}
		close(gate)
	}()
	response, err := handler(ctx, batch(t, bodies...))
	if err != nil || len(response.BatchItemFailures) != 0 {
		t.Errorf("returned %v, %v", response, err)
	}
	if n := most.Load(); n != concurrency {
		t.Errorf("%d at once, not %d", n, concurrency)
	}
}
