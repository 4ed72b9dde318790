package adapter

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of signed messages, as in Standard Webhooks.
const (
	headerID        = "Webhook-Id"
	headerTime      = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// tolerance is how far the clocks of service and adapter may be apart.
const tolerance = 5 * time.Minute

// message is what is signed, and its signatures.
type message struct{ id, at, content, signatures string }

// messageOf reads a message. The content is the body of a notice; that of a response has its status before it.
func messageOf(header http.Header, content string) message {
	return message{header.Get(headerID), header.Get(headerTime), content, header.Get(headerSignature)}
}

// authentic reports whether one of the signatures is right and the message is not older or newer than the tolerance.
func (m message) authentic(secret string, now time.Time) bool {
	seconds, err := strconv.ParseInt(m.at, 10, 64)
	if err != nil || secret == "" || m.id == "" {
		return false
	}
	if apart := now.Sub(time.Unix(seconds, 0)).Abs(); apart > tolerance {
		return false
	}
	want := sign(secret, m.id, m.at, m.content)
	for one := range strings.FieldsSeq(m.signatures) {
		if hmac.Equal([]byte(one), []byte(want)) {
			return true
		}
	}
	return false
}

// seconds is a time as messages have it.
func seconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// sign is the signature of a message. The key is the secret's bytes as they are.
func sign(secret, id, at, content string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(id + "." + at + "." + content))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
