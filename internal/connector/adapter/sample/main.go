// Sample is an adapter of two small files: it follows the contract of infra/adapter.yaml and plays a bank in memory, in
// the contract's test mode. It imports nothing of the service, so that it can be copied and begun with.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "address to listen on")
	key := flag.String("key", "key", "the account's key")
	secret := flag.String("secret", "secret", "the account's secret")
	flag.Parse()
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	address := "http://" + listener.Addr().String()
	fmt.Println(address)
	_ = http.Serve(listener, newBank(address, *key, *secret))
}

// bank has what it was asked to do by reference. A real adapter has it in a database.
type bank struct {
	url, key, secret string
	choose           func(request) string // the last digits of an amount, by which the test mode decides

	mu         sync.Mutex
	operations map[string]*operation
}

func newBank(url, key, secret string) *bank {
	return &bank{url: url, key: key, secret: secret, choose: lastDigits, operations: map[string]*operation{}}
}

func lastDigits(q request) string {
	digits := strings.Replace(q.Amount.Value, ".", "", 1)
	return digits[max(0, len(digits)-3):]
}

type amount struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
	Exponent int    `json:"exponent"`
}

type request struct {
	Kind          string                     `json:"kind"`
	Reference     string                     `json:"reference"`
	Payment       string                     `json:"payment"`
	Session       string                     `json:"session"`
	Amount        amount                     `json:"amount"`
	Charge        struct{ Reference string } `json:"charge"`
	AuthoriseOnly bool                       `json:"authorise_only"`
	Recurring     bool                       `json:"recurring"`
	NoticeURL     string                     `json:"notice_url"`
	Method        string                     `json:"method"`
	Card          cardData                   `json:"card"`
	Wallet        *wallet                    `json:"wallet"`
}

// minor is the amount in minor units, and whether it is a good one.
func (a amount) minor() (int64, bool) {
	_, decimals, _ := strings.Cut(a.Value, ".")
	n, err := strconv.ParseInt(strings.Replace(a.Value, ".", "", 1), 10, 64)
	return n, err == nil && n > 0 && len(decimals) == a.Exponent && len(a.Currency) >= 3
}

// operation is a request and what became of it.
type operation struct {
	request
	status, reason string
	captured, left int64 // of a charge, in minor units: captured, and not refunded of that
	void           bool
	secured        bool // the payer passed 3-D Secure
}

// ServeHTTP checks the signature of a request, handles it and signs the response.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if reference, found := strings.CutPrefix(r.URL.Path, "/pay/"); found {
		b.decide(reference, r.FormValue("choice"))
		fmt.Fprint(w, `<a href="?choice=approve">Confirm</a> <a href="?choice=refuse">Refuse</a>`)
		return
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	status, result := 401, refusal("not_allowed")
	if r.Header.Get("Adapter-Key") == b.key && b.authentic(r.Header, "POST "+r.URL.Path+"."+string(body)) {
		var q request
		status, result = 400, refusal("not_possible")
		if json.Unmarshal(body, &q) == nil && (q.Reference != "" || r.URL.Path == "/describe") {
			status, result = b.handle(r.URL.Path, q)
		}
	}
	text, _ := json.Marshal(result)
	id, at := r.Header.Get("webhook-id"), strconv.FormatInt(time.Now().Unix(), 10)
	b.sign(w.Header(), id, at, strconv.Itoa(status)+"."+string(text))
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

func refusal(reason string) any {
	return map[string]any{"error": map[string]string{"reason": reason}}
}

// handle returns the status and body of a response.
func (b *bank) handle(path string, q request) (int, any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.operations[q.Reference]
	_, good := q.Amount.minor()
	switch {
	case path == "/describe":
		return 200, map[string]int{"found_after": 0} // what is stored is found at once
	case path == "/lookup" || path == "/cancel":
		if known == nil || known.Kind != q.Kind {
			return 200, map[string]string{"kind": q.Kind, "reference": q.Reference, "status": "unknown"}
		}
		if path == "/cancel" && known.status == "action_required" {
			known.status, known.reason = "declined", "payer_refused"
		}
		return 200, b.result(known)
	case path != "/charge" && path != "/capture" && path != "/void" && path != "/refund":
		return 422, refusal("not_supported")
	case path != "/"+q.Kind, path == "/charge" && !q.fits():
		return 400, refusal("not_possible")
	case path != "/void" && !good:
		return 400, refusal("amount_invalid")
	case known != nil:
		if known.Kind != q.Kind || known.Amount != q.Amount || known.Charge != q.Charge {
			return 409, refusal("duplicate")
		}
		return 200, b.result(known)
	}
	o := &operation{request: q, status: "approved"}
	o.forget()
	b.operations[q.Reference] = o
	if q.Kind == "charge" {
		b.charge(o)
	} else if b.choose(q) == "declined" || !o.follow(b.operations[q.Charge.Reference]) {
		o.status, o.reason = "declined", "not_allowed"
	}
	return 200, b.result(o)
}

// charge decides a new charge.
func (b *bank) charge(o *operation) {
	reasons := map[string]string{"905": "insufficient_funds", "906": "do_not_honor", "908": "card_stolen"}
	switch digits := b.choose(o.request); {
	case reasons[digits] != "":
		o.status, o.reason = "declined", reasons[digits]
	case digits == "909":
		o.status = "pending"
		time.AfterFunc(2*time.Second, func() { b.decide(o.Reference, "approve") })
	case digits == "910" && o.Recurring:
		o.status, o.reason = "declined", "authentication_required"
	case digits == "910" || o.Wallet != nil && o.Wallet.Unauthenticated:
		o.status = "action_required"
	default:
		o.approve()
	}
}

func (o *operation) approve() {
	o.status = "authorised"
	if !o.AuthoriseOnly {
		o.status = "approved"
		o.captured, _ = o.Amount.minor()
		o.left = o.captured
	}
}

// follow does a capture, void or refund, if its charge allows it.
func (o *operation) follow(charge *operation) bool {
	if charge == nil || charge.Kind != "charge" || charge.void {
		return false
	}
	if charge.status != "approved" && charge.status != "authorised" {
		return false
	}
	n, _ := o.Amount.minor()
	all, _ := charge.Amount.minor()
	switch {
	case o.Kind == "void" && charge.left == charge.captured:
		charge.void = true
	case o.Kind == "capture" && charge.captured == 0 && n <= all && o.Amount.Currency == charge.Amount.Currency:
		charge.captured, charge.left = n, n
	case o.Kind == "refund" && n <= charge.left && o.Amount.Currency == charge.Amount.Currency:
		charge.left -= n
	default:
		return false
	}
	return true
}

// decide decides a charge that waits, and sends the notice.
func (b *bank) decide(reference, choice string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.operations[reference]
	if o == nil || o.status != "pending" && o.status != "action_required" || choice == "" {
		return
	}
	o.secured = o.status == "action_required" && choice == "approve"
	if o.approve(); choice != "approve" {
		o.status, o.reason, o.captured, o.left = "declined", "payer_refused", 0, 0
	}
	if o.NoticeURL != "" {
		go b.notify(o.NoticeURL, "notice_"+reference, b.result(o))
	}
}

// result is what became of an operation.
func (b *bank) result(o *operation) map[string]any {
	r := map[string]any{"kind": o.Kind, "reference": o.Reference, "payment": o.Payment, "status": o.status}
	if o.Session != "" {
		r["session"] = o.Session
	}
	if o.Kind == "charge" {
		r["provider"] = map[string]string{"id": "bank-" + o.Reference}
		if o.secured {
			r["authentication"] = map[string]any{"eci": "05", "liability_shift": true, "three_ds_version": "2.2.0"}
		}
	}
	switch {
	case o.status == "declined":
		r["decline"] = map[string]string{"reason": o.reason}
	case o.status == "action_required":
		r["action"] = map[string]string{"type": "3ds", "url": b.url + "/pay/" + o.Reference}
	case o.status != "pending" && o.Kind != "void":
		r["requested"], r["amount"] = o.Amount, o.Amount
		if o.Kind == "charge" && o.Card.Number != "" { // a real one is the card scheme's
			r["provider"] = map[string]string{"id": "bank-" + o.Reference, "network_transaction_id": "MCC0000010102"}
		}
	}
	return r
}

// notify sends a notice until it is taken.
func (b *bank) notify(url, id string, result map[string]any) {
	body, _ := json.Marshal(result)
	for pause := time.Second; pause < 48*time.Hour; pause *= 2 {
		r, err := http.NewRequest("POST", url, bytes.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/json")
		b.sign(r.Header, id, strconv.FormatInt(time.Now().Unix(), 10), string(body))
		response, err := (&http.Client{Timeout: 10 * time.Second}).Do(r)
		if err == nil {
			_ = response.Body.Close()
		}
		if err == nil && (response.StatusCode < 300 || response.StatusCode == 400 || response.StatusCode == 404) {
			return
		}
		time.Sleep(pause)
	}
}

// signature is that of a message.
func (b *bank) signature(id, at, content string) string {
	mac := hmac.New(sha256.New, []byte(b.secret))
	mac.Write([]byte(id + "." + at + "." + content))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (b *bank) sign(header http.Header, id, at, content string) {
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", at)
	header.Set("webhook-signature", b.signature(id, at, content))
}

// authentic reports whether a request is signed, and not older or newer than 5 minutes.
func (b *bank) authentic(header http.Header, content string) bool {
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	for one := range strings.FieldsSeq(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(b.signature(id, at, content))) {
			return true
		}
	}
	return false
}
