// Receives callbacks of the checkout. Run: go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// seen stands for a table with webhook-id as its unique key, written in one transaction with the order.
var seen sync.Map

func isSigned(header http.Header, body, secret []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(want), []byte(one)) {
			return true
		}
	}
	return false
}

func hasHash(fields url.Values, password string) bool {
	text := ""
	for _, name := range []string{"id", "order_number", "order_amount", "order_currency", "order_description"} {
		text += fields.Get(name)
	}
	upper := []byte(text + password)
	for i, c := range upper {
		if 'a' <= c && c <= 'z' {
			upper[i] = c - 'a' + 'A'
		}
	}
	inner := md5.Sum(upper)
	outer := sha1.Sum([]byte(hex.EncodeToString(inner[:])))
	return hmac.Equal([]byte(hex.EncodeToString(outer[:])), []byte(fields.Get("hash")))
}

func readFields(header http.Header, body []byte) (url.Values, error) {
	if !strings.HasPrefix(header.Get("Content-Type"), "application/json") {
		return url.ParseQuery(string(body))
	}
	var all map[string]any
	err := json.Unmarshal(body, &all)
	fields := url.Values{}
	for name, value := range all {
		if text, ok := value.(string); ok {
			fields.Set(name, text)
		}
	}
	return fields, err
}

func store(id string, fields url.Values) {
	if _, repeat := seen.LoadOrStore(id, true); repeat {
		return // it is done already
	}
	// Decimal text: compute with math/big or in cents, never with float64.
	amount := fields.Get("transaction_amount")
	if amount == "" {
		amount = fields.Get("order_amount")
	}
	// Update the order here; mail, stock and all that takes time come after the response.
	fmt.Println(fields.Get("type"), fields.Get("status"), fields.Get("order_status"), fields.Get("order_number"), amount)
}

func main() {
	password := os.Getenv("CHECKOUT_PASSWORD")
	text := strings.TrimPrefix(os.Getenv("CHECKOUT_CALLBACK_SECRET"), "whsec_")
	secret, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(secret) == 0 || password == "" {
		log.Fatal("set CHECKOUT_CALLBACK_SECRET and CHECKOUT_PASSWORD")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isSigned(r.Header, body, secret) {
			http.Error(w, "not signed", http.StatusBadRequest)
			return
		}
		fields, err := readFields(r.Header, body)
		if err != nil || !hasHash(fields, password) {
			http.Error(w, "wrong hash", http.StatusBadRequest)
			return
		}
		store(r.Header.Get("webhook-id"), fields)
	})))
}
