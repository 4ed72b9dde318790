package gateway

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
)

// writeResponse makes an HTTP response of a function's result. An object with statusCode is one; any other valid JSON
// is the body of a 200; the rest is an Internal Server Error.
func writeResponse(w http.ResponseWriter, payload []byte) {
	var members map[string]json.RawMessage
	if json.Unmarshal(payload, &members) == nil && members["statusCode"] != nil {
		writeStructured(w, payload)
		return
	}
	if !json.Valid(payload) {
		message(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	var text string
	if json.Unmarshal(payload, &text) == nil && !bytes.Equal(bytes.TrimSpace(payload), []byte("null")) {
		payload = []byte(text)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	w.Write(payload)
}

func writeStructured(w http.ResponseWriter, payload []byte) {
	var out struct {
		StatusCode        json.Number                `json:"statusCode"`
		Headers           map[string]json.RawMessage `json:"headers"`
		MultiValueHeaders map[string][]string        `json:"multiValueHeaders"`
		Cookies           []string                   `json:"cookies"`
		Body              *string                    `json:"body"`
		IsBase64Encoded   bool                       `json:"isBase64Encoded"`
	}
	err := json.Unmarshal(payload, &out)
	status, notNumber := out.StatusCode.Int64()
	if err != nil || notNumber != nil || status < 200 || status > 599 {
		message(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	var body []byte
	if out.Body != nil {
		body = []byte(*out.Body)
		if out.IsBase64Encoded {
			if body, err = base64.StdEncoding.DecodeString(*out.Body); err != nil {
				message(w, http.StatusInternalServerError, "Internal Server Error")
				return
			}
		}
	}
	for name, value := range out.Headers {
		w.Header().Set(name, headerText(value))
	}
	for name, values := range out.MultiValueHeaders {
		w.Header().Del(name)
		for _, value := range values {
			w.Header().Add(name, value)
		}
	}
	for _, cookie := range out.Cookies {
		w.Header().Add("Set-Cookie", cookie)
	}
	w.Header().Del("Content-Length") // the server sets the real one
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/plain;charset=UTF-8")
	}
	w.WriteHeader(int(status))
	io.Copy(w, bytes.NewReader(body))
}

// headerText is the value of a header, which may be a number or a boolean in JSON.
func headerText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// message is a response of API Gateway itself.
func message(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, `{"message":"`+text+`"}`)
}
