package demo

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// mostBody is the largest body that the shop reads, in bytes.
const mostBody = 1 << 20

// received is one callback, and the results of the shop's checks.
type received struct {
	ReceivedAt  string            `json:"received_at"` // RFC 3339
	Headers     map[string]string `json:"headers"`     // names in lower case
	Body        json.RawMessage   `json:"body"`        // a form as one flat object, JSON as it came
	HashOK      bool              `json:"hash_ok"`
	SignatureOK bool              `json:"signature_ok"`

	fields map[string]string // those at the top
	number int               // 1 for the first that ever came
	at     time.Time
}

// callback is POST /demo/callback. A callback with a wrong signature is stored and shown as such. A shop that sends
// goods must not believe it.
func (s *Shop) callback(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "not readable", http.StatusBadRequest)
		return
	}
	now := s.config.Now().UTC()
	in := received{ReceivedAt: now.Format(time.RFC3339Nano), Headers: map[string]string{}, at: now}
	for name, values := range r.Header {
		in.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	in.Body, in.fields = readFields(r.Header.Get("Content-Type"), body)
	in.SignatureOK = s.webhook.VerifyIgnoringTimestamp(body, r.Header) == nil && s.fresh(r.Header.Get("webhook-timestamp"))
	in.HashOK = in.fields["hash"] != "" && strings.EqualFold(in.fields["hash"], s.config.hash(upperASCII, in.fields["id"],
		in.fields["order_number"], in.fields["order_amount"], in.fields["order_currency"], in.fields["order_description"]))

	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.received) == maxRecent {
		s.received = s.received[1:]
	}
	s.counted++
	in.number = s.counted
	s.received = append(s.received, in)
	_, _ = io.WriteString(w, "OK")
}

// fresh reports whether a callback was signed within five minutes of now, so that an old one can't be sent again.
func (s *Shop) fresh(timestamp string) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	return err == nil && s.config.Now().Sub(time.Unix(seconds, 0)).Abs() <= 5*time.Minute
}

// readFields reads a form or a JSON object. Any other body is stored as a JSON string, without fields.
func readFields(contentType string, body []byte) (json.RawMessage, map[string]string) {
	fields := map[string]string{}
	kind, _, _ := mime.ParseMediaType(contentType)
	if kind == "application/json" {
		var object map[string]any
		if json.Unmarshal(body, &object) == nil && object != nil {
			for name, value := range object {
				if text, ok := value.(string); ok {
					fields[name] = text
				}
			}
			return body, fields
		}
	} else if values, err := url.ParseQuery(string(body)); err == nil && kind == "application/x-www-form-urlencoded" {
		for name, all := range values {
			fields[name] = all[len(all)-1]
		}
		return encode(fields), fields
	}
	return encode(string(body)), fields
}

// encode makes JSON of texts, which can't fail.
func encode(value any) json.RawMessage {
	text, _ := json.Marshal(value)
	return text
}

// callbacksOf returns the callbacks of an order, of all orders for "".
func (s *Shop) callbacksOf(number string) []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []received{}
	for _, in := range s.received {
		if number == "" || in.fields["order_number"] == number {
			found = append(found, in)
		}
	}
	return found
}
