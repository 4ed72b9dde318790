package simulator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// The code of the manual of the central bank of Brazil (Manual do BR Code), and the check value of CRC-16/CCITT-FALSE.
func TestPixCRC(t *testing.T) {
	const manual = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR" +
		"5913Fulano de Tal6008BRASILIA62070503***6304"
	if a, b := pixCRC(manual), pixCRC("123456789"); a != 0x1D3D || b != 0x29B1 {
		t.Errorf("%04X and %04X", a, b)
	}
}

// collectionBody is a payment as the specification prints it, for type PIX.
const collectionBody = `{"amount":10.00,"expiryDate":"2030-01-02T04:00:00Z","callbackUrl":"https://pay.example/n",
	"reference":"r1","merchantType":"RETAIL","merchantName":"Pens","accountId":"1","market":"BR","type":"PIX",
	"currency":"BRL"}`

// postCollection posts a body to a new simulator and returns status and response.
func postCollection(t *testing.T, body string) (int, map[string]any) {
	t.Helper()
	s := New(Options{
		Now:   func() time.Time { return time.Date(2030, 1, 2, 3, 0, 0, 0, time.UTC) },
		After: func(time.Duration, func()) {},
	})
	r := httptest.NewRequest(http.MethodPost, "/collection/payments", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+Key)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return w.Code, got
}

// TestCollectionIsStrict changes one field of a good request each: the refusal names it.
func TestCollectionIsStrict(t *testing.T) {
	status, got := postCollection(t, collectionBody)
	code, _ := got["qr"].(string)
	if status != http.StatusOK || len(code) < 100 || !strings.HasSuffix(code, pixHex(code[:len(code)-4])) {
		t.Fatalf("%d %v", status, got)
	}
	for field, change := range map[string][2]string{
		"amount":                  {`10.00`, `"10.00"`},
		"expiryDate":              {`04:00:00Z`, `02:00:00Z`},
		"callbackUrl":             {`"callbackUrl":"https://pay.example/n",`, ``},
		"reference":               {`"r1"`, `""`},
		"merchantType":            {`"RETAIL"`, `7`},
		"merchantName":            {`"Pens"`, `null`},
		"accountId":               {`"accountId":"1",`, ``},
		"market":                  {`"BR"`, `"MX"`},
		"type":                    {`"PIX"`, `"QR"`},
		"currency":                {`"BRL"`, `"B R"`},
		"redirectUrl":             {`"type":"PIX"`, `"type":"PIX","redirectUrl":"https://pay.example"`},
		"redirectUrl is missing":  {`"PIX"`, `"SPEI"`},
		"clientname":              {`"type":"PIX"`, `"type":"OFFLINE","redirectUrl":"https://pay.example"`},
		"bankDetails":             {`"PIX"`, `"PULL"`},
		"bankDetails.cbu":         {`"type":"PIX"`, `"type":"PULL","bankDetails":{"alias":"ana.paz"}`},
		"bankDetails.phoneNumber": {`"type":"PIX"`, `"type":"PULL","bankDetails":{"phoneNumber":"57300"}`},
	} {
		body := strings.Replace(collectionBody, change[0], change[1], 1)
		status, got := postCollection(t, body)
		text, _ := json.Marshal(got)
		if body == collectionBody || status != http.StatusBadRequest || !strings.Contains(string(text), field) {
			t.Errorf("%s: %d %s", field, status, text)
		}
	}
}
