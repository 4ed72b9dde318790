package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/money"
)

// plainRequest is what the provider of these tests is sent.
type plainRequest struct {
	Kind                                            Kind
	Reference, Charge, Amount, Card, Notice, Return string
	Hold                                            bool
	Step                                            Step
	Seconds                                         int // that the payer has
}

// plain is a provider without checks. A notice is the operation's response with the header Signed.
var plain = family{
	name: "plain",
	routes: func(s *Simulator) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{
			"POST /operations": s.plainExecute,
			"GET /operations/{reference}": func(w http.ResponseWriter, r *http.Request) {
				o, found := s.Find("plain", r.PathValue("reference"))
				if !found {
					http.NotFound(w, r)
					return
				}
				writeJSON(w, http.StatusOK, plainResponse(o))
			},
		}
	},
	notice: func(_ *Simulator, o Operation) *http.Request {
		text, _ := json.Marshal(plainResponse(o))
		r, _ := http.NewRequest(http.MethodPost, o.NoticeURL, bytes.NewReader(text))
		r.Header.Set("Signed", "yes")
		return r
	},
	spoil: func(r *http.Request) { r.Header.Set("Signed", "no") },
}

func (s *Simulator) plainExecute(w http.ResponseWriter, r *http.Request) {
	var q plainRequest
	_ = json.NewDecoder(r.Body).Decode(&q)
	usd, _ := money.Find("USD")
	amount, err := money.ParseMinor(q.Amount, usd)
	if err != nil {
		http.Error(w, "amount", http.StatusBadRequest)
		return
	}
	o := Operation{
		Family: "plain", Kind: q.Kind, Reference: q.Reference, Amount: amount, Card: q.Card, NoticeURL: q.Notice,
		ReturnURL: q.Return, HoldOnly: q.Hold, Step: q.Step,
	}
	if charge, found := s.Find("plain", q.Charge); found {
		o.Parent = charge.ID
	}
	if q.Seconds > 0 {
		o.ExpiresAt = s.Now().Add(time.Duration(q.Seconds) * time.Second)
	}
	if o, err = s.execute(r, o); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	writeJSON(w, http.StatusOK, plainResponse(o))
}

type plainResult struct {
	ID     string
	State  State
	Reason string
	Moved  string
}

func plainResponse(o Operation) plainResult {
	return plainResult{o.ID, o.State, o.Reason, o.Moved.Minor()}
}

// bench is a simulator with a caller and a receiver of notices, in memory.
type bench struct {
	t         *testing.T
	simulator *Simulator
	client    *http.Client
	start     time.Time
	mu        sync.Mutex
	notices   []string // the state, with "forged" if it is not signed, and when it came
	times     []time.Duration
	status    int // of responses to notices
}

// callerWaits is how long the caller waits for a response.
const callerWaits = 20 * time.Second

// inBubble runs a test with a simulator in virtual time.
func inBubble(t *testing.T, options Options, test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, start: time.Now(), status: http.StatusOK}
		receiver, stopReceiver := InMemory(http.HandlerFunc(b.receive))
		options.URL, options.Client = "http://simulator", &http.Client{Transport: receiver}
		b.simulator = newOf(options, []family{plain})
		caller, stop := InMemory(b.simulator)
		b.client = &http.Client{Transport: caller, Timeout: callerWaits,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		test(t, b)
		stop()
		stopReceiver()
	})
}

func (b *bench) receive(w http.ResponseWriter, r *http.Request) {
	var told plainResult
	_ = json.NewDecoder(r.Body).Decode(&told)
	b.mu.Lock()
	defer b.mu.Unlock()
	text := string(told.State)
	if r.Header.Get("Signed") != "yes" {
		text += " forged"
	}
	b.notices, b.times = append(b.notices, text), append(b.times, time.Since(b.start))
	w.WriteHeader(b.status)
}

// told returns the notices, after a time.
func (b *bench) told(after time.Duration) string {
	time.Sleep(after)
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.notices, ", ")
}

var errStatus = errors.New("status is not 200")

// post sends an operation. The error is about the connection, the body or the status.
func (b *bench) post(q plainRequest) (plainResult, *http.Response, error) {
	text, _ := json.Marshal(q)
	response, err := b.client.Post("http://simulator/plain/operations", "application/json", bytes.NewReader(text))
	if err != nil {
		return plainResult{}, nil, err
	}
	defer response.Body.Close()
	var result plainResult
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return result, response, err
	}
	if response.StatusCode != http.StatusOK {
		return result, response, errStatus
	}
	return result, response, json.Unmarshal(body, &result)
}

// must sends an operation that has a good response.
func (b *bench) must(q plainRequest) plainResult {
	b.t.Helper()
	result, _, err := b.post(q)
	if err != nil {
		b.t.Fatalf("%+v: %v", q, err)
	}
	return result
}

// control makes a control call and returns status and body.
func (b *bench) control(method, path, body string) (int, string) {
	b.t.Helper()
	request, _ := http.NewRequest(method, "http://simulator"+path, strings.NewReader(body))
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

// press presses a button of a payer's page, and returns the status and where it leads.
func (b *bench) press(id string, values url.Values) (int, string) {
	b.t.Helper()
	response, err := b.client.PostForm("http://simulator/pay/"+id, values)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
}
