package client

import (
	"cmp"
	"crypto/ecdh"
	"crypto/hpke"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"

	"github.com/google/uuid"

	"checkout/internal/card"
	"checkout/internal/local/demo"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// TestCard is the card number, and SecurityCode the code, that payers pay with. The code occurs nowhere else.
const (
	TestCard     = "4111111111111111"
	SecurityCode = "9173"
)

// Card returns the test card of an expiry date, MM/YY.
func Card(expiry string) (card.Card, error) {
	c := card.Card{Number: TestCard, SecurityCode: SecurityCode}
	if _, err := fmt.Sscanf(expiry, "%d/%d", &c.ExpiryMonth, &c.ExpiryYear); err != nil || len(expiry) != len("MM/YY") {
		return c, fmt.Errorf("expiry %q is not MM/YY", expiry)
	}
	c.ExpiryYear += 2000
	return c, nil
}

// Screen reads the screen of a response.
func Screen(status int, body []byte) (screen.Screen, error) {
	var shown screen.Screen
	if err := json.Unmarshal(body, &shown); err != nil || status != http.StatusOK {
		return shown, fmt.Errorf("%d %.500s", status, body)
	}
	return shown, nil
}

// Words describes a screen in a few words: "form", "wait: processing", "go https://...".
func Words(s screen.Screen) string {
	text := string(s.Kind)
	if s.Kind == screen.KindGo {
		return text + " " + s.Go.URL
	}
	if s.Message != nil {
		text += ": " + string(s.Message.Text)
		text += reasonWords(s.Message.Reason)
	}
	return text
}

// reasonWords returns the reason of a screen: " (Declined by processing.)" if the provider gave a text, otherwise its
// code and amounts, such as " (paid_too_little: 1 of 2 BTC)".
func reasonWords(r *reason.Reason) string {
	switch {
	case r == nil:
		return ""
	case r.Words != "":
		return " (" + r.Words + ")"
	case r.Due != "":
		return " (" + string(r.Code) + ": " + r.Arrived + " of " + r.Due + " " + r.Currency + ")"
	case r.Arrived != "":
		return " (" + string(r.Code) + ": " + r.Arrived + " " + r.Currency + ")"
	}
	return " (" + string(r.Code) + ")"
}

// ofKind are values of fields that stand for no parameter, by the field's kind.
var ofKind = map[method.FieldKind]string{
	method.FieldCardName: "Ada Lovelace", method.FieldEmail: "ada@example.org", method.FieldPhone: "+12025550123",
	method.FieldCountry: "US", method.FieldState: "CA", method.FieldAmount: "10.00", method.FieldConsent: "true",
}

// Value is a good value of a field: its initial one, or made up.
func Value(of string, f screen.Field) string {
	value := cmp.Or(f.Value, demo.Example(of, f.ID))
	if f.Kind == method.FieldCardName && !f.Unusual && !method.IsOnCard(value) {
		value = "" // the page refuses what it came filled in with
	}
	if value == "" && f.Kind == method.FieldSelect && len(f.Options) > 0 {
		return f.Options[0].Value
	}
	return cmp.Or(value, ofKind[f.Kind], "Example 7")
}

// Fill fills in what the form of the first method requires, and what else there is an example of. What is hidden is
// sealed: a card or a wallet's token, and what the method asks for beside it, unless hidden has it.
func Fill(page screen.Screen, hidden card.Card) (form.Request, error) {
	if page.Kind != screen.KindForm {
		return form.Request{}, fmt.Errorf("no form but %q", Words(page))
	}
	way := page.Methods[0]
	pay := form.Request{Attempt: uuid.NewString(), Method: way.ID, Fields: map[string]string{}}
	sealed := map[string]string{}
	for _, f := range way.Fields {
		place, _ := method.FindPageField(f.ID)
		switch {
		case !f.Required && demo.Example(way.ID, f.ID) == "":
		case !f.Sealed:
			pay.Fields[f.ID] = Value(way.ID, f)
		case place.Place != method.InSealedCard:
			sealed[f.ID] = Value(way.ID, f)
		}
	}
	if maps.Copy(sealed, hidden.Values); len(sealed) > 0 {
		hidden.Values = sealed
	}
	if page.Seal == nil && reflect.ValueOf(hidden).IsZero() {
		return pay, nil
	}
	var err error
	pay.Sealed, err = Seal(page.Seal, hidden)
	return pay, err
}

// Seal encrypts a card or a token to the key of a screen as the page does.
func Seal(to *screen.Seal, content any) (*card.Sealed, error) {
	if to == nil {
		return nil, errors.New("the screen has no key")
	}
	text := base64.RawURLEncoding
	point, err := text.DecodeString(to.Key)
	if err != nil {
		return nil, err
	}
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(point)
	if err != nil {
		return nil, err
	}
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(to.Info))
	if err != nil {
		return nil, err
	}
	plaintext, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	ciphertext, err := sender.Seal([]byte(to.Info), plaintext)
	return &card.Sealed{KeyID: to.KeyID, Enc: text.EncodeToString(enc), Ciphertext: text.EncodeToString(ciphertext)}, err
}
