package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
)

const ownCard = "4111111111111111"

func cardTask() report {
	cards := payment.Cards{Card: &card.View{Mask: card.Mask(ownCard)}}
	return report{task: checkout.Task{Payment: &payment.Payment{Cards: cards}}}
}

type stringer string

func (s stringer) String() string { return string(s) }

// TestEveryKindIsSearched has a text in whatever a connector could add to a result.
func TestEveryKindIsSearched(t *testing.T) {
	type inner struct{ Text string }
	type all struct {
		Text      string
		Kind      screen.Text
		Struct    inner
		Pointer   *inner
		Twice     **string
		List      []inner
		Array     [2]string
		Map       map[string]inner
		Key       map[string]int
		Any       any
		Bytes     []byte
		JSON      json.RawMessage
		Number    int64
		Natural   uint64
		Shown     screen.Shown
		Received  connector.Received
		Function  func() string
		Channel   chan string
		Embedded  struct{ inner }
		Interface fmt.Stringer
	}
	text := "a " + ownCard
	pointer := &text
	values := all{
		Text: text, Kind: screen.Text(text), Struct: inner{text}, Pointer: &inner{text}, Twice: &pointer,
		List: []inner{{"good"}, {text}}, Array: [2]string{"", text}, Map: map[string]inner{"en": {text}},
		Key: map[string]int{text: 1}, Any: []any{inner{text}}, Bytes: []byte(text), JSON: json.RawMessage(text),
		Number: 4111111111111111, Natural: 4111111111111111, Shown: screen.Shown{ID: text},
		Received: connector.Received{Amount: ownCard}, Function: func() string { return text }, Channel: make(chan string),
		Embedded: struct{ inner }{inner{text}}, Interface: stringer(text),
	}
	for i := range reflect.TypeFor[all]().NumField() {
		name := reflect.TypeFor[all]().Field(i).Name
		t.Run(name, func(t *testing.T) {
			one := reflect.New(reflect.TypeFor[all]()).Elem()
			one.Field(i).Set(reflect.ValueOf(values).Field(i))
			search := newSearch(cardTask())
			search.leaveOut(one, "")
			named := len(search.found) == 1 && strings.HasPrefix(search.found[0], name)
			if !named || !reflect.DeepEqual(one.Interface(), all{}) {
				t.Errorf("%q is left out, and %+v stays", search.found, one)
			}
		})
	}
}

// TestOfResultsAllIsSearched checks that no part of a result is of a type that nobody searches.
func TestOfResultsAllIsSearched(t *testing.T) {
	var exempt []reflect.Type
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		if isSearchedElsewhere(of) {
			exempt = append(exempt, of)
			return
		}
		switch of.Kind() {
		case reflect.Struct:
			for i := range of.NumField() {
				if field := of.Field(i); !field.IsExported() && !field.Anonymous {
					t.Errorf("%s of %s can't be set", field.Name, of)
				}
				walk(of.Field(i).Type)
			}
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(of.Elem())
		case reflect.Map:
			walk(of.Key())
			walk(of.Elem())
		case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8:
		default:
			t.Errorf("a %s is always left out", of)
		}
	}
	walk(reflect.TypeFor[connector.Result]())
	allowed := []reflect.Type{reflect.TypeFor[time.Time](), reflect.TypeFor[money.Amount]()}
	for _, of := range exempt {
		if !slices.Contains(allowed, of) {
			t.Errorf("%s is not searched", of)
		}
	}
}

// TestResultsStay has results without a secret, with numbers that look like one.
func TestResultsStay(t *testing.T) {
	c := card.Card{Number: ownCard, SecurityCode: "123", Values: map[string]string{"pin": "2030"}}
	whole := connector.Result{
		Outcome: connector.OutcomeActionRequired, Reason: "Ask your bank.", Code: "51", ReasonLanguage: "pt-BR",
		Received: &connector.Received{Currency: "ETH", Amount: "123.412345678901234567", Due: "2030"},
		RequiredAction: &connector.RequiredAction{Kind: connector.ActionPending, Text: screen.TextScanQR,
			ExpiresAt: time.Unix(1, 0),
			Show: []screen.Shown{
				{ID: "account_number", Type: screen.ShownCopy, Value: "4000056655665556"}, // of an account
				{ID: "voucher_barcode", Type: screen.ShownBarcode, Value: "34191790010104351004791020150008291070026000"},
				{ID: "amount_due", Type: screen.ShownAmount, Value: "123", Currency: "EUR"},
				{ID: "pay_until", Type: screen.ShownDeadline, Value: "2030-01-02T10:11:12Z"},
			}},
		ProviderData: connector.ProviderData{ProviderID: "4000056655665556", ExtraID: "343212345678907", RRN: "000012345678",
			ApprovalCode: "123456", IssuerCountry: "BR", IssuerBank: "Banco 411111******1111"},
	}
	search := newSearch(report{task: checkout.Task{Payment: &payment.Payment{}}, charge: connector.Charge{Card: c}})
	got := whole
	search.leaveOut(reflect.ValueOf(&got).Elem(), "")
	if len(search.found) > 0 || !reflect.DeepEqual(got, whole) {
		t.Errorf("%q is left out", search.found)
	}
	search = newSearch(report{task: checkout.Task{Payment: &payment.Payment{}}}) // whose card nobody knows
	search.leaveOut(reflect.ValueOf(&got).Elem(), "")
	if !slices.Equal(search.found, []string{"provider_id"}) {
		t.Errorf("%q is left out of a payment whose card is not known", search.found)
	}
}

// TestCodesOfLaterResponses has results that repeat a security code when nobody knows it any more.
func TestCodesOfLaterResponses(t *testing.T) {
	later := cardTask()
	now := func() time.Time { return time.Unix(1, 0) }
	later.core = &checkout.Core{Log: slog.New(slog.DiscardHandler), Now: now}
	later.task.Payment.Status = payment.StatusPrepare
	for _, code := range []string{"cvv9173", "CVC=917", `{"cvv2":"917"}`, "security-code:9173", "0x637676393137"} {
		got, err := later.checkResult(t.Context(), connector.Result{
			Outcome: connector.OutcomeDeclined, Reason: "Refused: " + code, Code: code, OperationID: code,
			ProviderData: connector.ProviderData{ProviderID: code, RRN: code, ApprovalCode: code, IssuerBank: "Bank " + code},
		})
		told := fmt.Sprintf("%+v %s", got, later.errorText(errors.New("got 500: "+code)))
		if err != nil || strings.Contains(told, "917") || strings.Contains(told, "393137") ||
			!reflect.DeepEqual(got.ProviderData, connector.ProviderData{}) {
			t.Errorf("%s: %s, %v", code, told, err)
		}
		for name, action := range map[string]connector.RequiredAction{
			"url":  {Kind: connector.ActionRedirect, URL: "https://bank.example/?x=" + url.QueryEscape(code)},
			"show": {Kind: connector.ActionPending, Show: []screen.Shown{{ID: "a", Type: screen.ShownText, Value: code}}},
			"pair": {Kind: connector.ActionPending, Show: []screen.Shown{{ID: "cvv", Type: screen.ShownText, Value: "917"}}},
		} {
			result := connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &action}
			var refused *connector.ActionError
			if _, err := later.checkResult(t.Context(), result); !errors.As(err, &refused) {
				t.Errorf("%s, %s: %v", name, code, err)
			}
		}
	}
}

// TestCutNumbersOfLaterResponses has results with the card's number without some of its digits.
func TestCutNumbersOfLaterResponses(t *testing.T) {
	search := newSearch(cardTask())
	for _, id := range []string{"4111 1111 1111", "411111xx11111111", "411111111111", "0xe9b1fd52e1c7"} {
		got := connector.ProviderData{ProviderID: id}
		if search.leaveOut(reflect.ValueOf(&got).Elem(), ""); (got.ProviderID == "") != (id[:2] != "0x") {
			t.Errorf("%s becomes %q", id, got.ProviderID)
		}
	}
}
