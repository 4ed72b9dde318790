package adapter

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/screen"
)

// action is what the payer has to do.
type action struct {
	Type      string                `json:"type"`
	URL       string                `json:"url"`
	Text      screen.Text           `json:"text"`
	Show      []screen.Shown        `json:"show"`
	Fields    []connector.FormField `json:"fields"`
	ExpiresAt string                `json:"expires_at"`
}

// actions are the kinds of required actions by their types.
var actions = map[string]connector.ActionKind{
	"redirect": connector.ActionRedirect, "3ds": connector.Action3DS, "wait": connector.ActionPending,
}

// readAction reads a required action. Errors: connector.ActionError, with nothing of what was read.
func readAction(text json.RawMessage) (*connector.RequiredAction, error) {
	var a action
	err := json.Unmarshal(text, &a)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return nil, &connector.ActionError{Member: cmp.Or(wrong.Field, "as a whole"), Fault: jsonType(wrong)}
	}
	if err != nil {
		return nil, &connector.ActionError{Member: "as a whole", Fault: "can't be read"}
	}
	return a.read()
}

// read checks what the contract says of each type. What no payer can be shown is checked for all connectors alike.
func (a action) read() (*connector.RequiredAction, error) {
	kind, known := actions[a.Type]
	waits := kind == connector.ActionPending
	until, err := time.Parse(time.RFC3339, a.ExpiresAt)
	switch {
	case !known:
		return nil, &connector.ActionError{Member: "type", Fault: "is not redirect, 3ds or wait"}
	case waits && a.URL != "":
		return nil, &connector.ActionError{Member: "url", Fault: "does not belong to the type wait"}
	case !waits && !method.CheckWebURL(a.URL):
		return nil, &connector.ActionError{Member: "url", Fault: "is no https or http address of a website's page"}
	case !waits && len(a.Fields) > 0:
		return nil, &connector.ActionError{Member: "fields", Fault: "belong to the type wait alone"}
	case a.ExpiresAt != "" && err != nil:
		return nil, &connector.ActionError{Member: "expires_at", Fault: "is no time of RFC 3339 with a time zone"}
	}
	for i, row := range a.Show {
		if member, fault := rowFault(row); fault != "" {
			return nil, &connector.ActionError{Member: fmt.Sprintf("show[%d].%s", i, member), Fault: fault}
		}
	}
	return &connector.RequiredAction{
		Kind: kind, URL: a.URL, Text: a.Text, Show: a.Show, Fields: a.Fields, ExpiresAt: until,
	}, nil
}

// CheckAction returns what is wrong with the required action of a payment by a method on the page, by all that the
// service itself goes by except that it has no secret of the payment. Errors: connector.ActionError.
func CheckAction(text json.RawMessage, methodID string) error {
	a, err := readAction(text)
	if err == nil {
		_, err = a.Showable(methodID, method.Purchase, true)
	}
	return err
}

// rowTexts are the forms of the values of rows, by type.
var rowTexts = map[screen.ShownType]*regexp.Regexp{
	screen.ShownText: anyText, screen.ShownCopy: anyText, screen.ShownQR: anyText, screen.ShownDeadline: anyText,
	screen.ShownAmount: regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`), screen.ShownBarcode: regexp.MustCompile(`^[0-9 ]+$`),
	screen.ShownLink:  regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:.`),
	screen.ShownImage: regexp.MustCompile(`^iVBORw0KGgo[A-Za-z0-9+/]+=*$`),
}

var anyText = regexp.MustCompile(`.`)

// maxRow is the most characters of a row's value.
const maxRow = 8000

// rowFault returns which member of a row is wrong by the contract, and why.
func rowFault(row screen.Shown) (member, fault string) {
	form, known := rowTexts[row.Type]
	_, err := time.Parse(time.RFC3339, row.Value)
	switch {
	case row.ID == "":
		return "id", "is missing"
	case !known:
		return "type", "is not one of the contract's"
	case row.Value == "" || utf8.RuneCountInString(row.Value) > maxRow:
		return "value", fmt.Sprintf("has not 1 to %d characters", maxRow)
	case row.Type == screen.ShownDeadline && err != nil:
		return "value", "is no time of RFC 3339 with a time zone"
	case !form.MatchString(row.Value):
		return "value", "is not of its type"
	case row.Type == screen.ShownAmount && row.Currency == "":
		return "currency", "is missing of an amount"
	}
	return "", ""
}
