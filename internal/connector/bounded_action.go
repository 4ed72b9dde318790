package connector

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/screen"
)

// maxAction is the most bytes of a required action as it is stored. Payment and session have it, the payment twice.
const maxAction = 64 << 10

// ActionError is the error of a response that requires an action which no payer can be given: the charge waits at the
// provider for a payer who can't act. Its text has nothing of the response, so that it can be logged and stored.
type ActionError struct {
	Member string // of RequiredAction, by its name in JSON: url, show[0].value
	Fault  string // what is wrong, such as "is no text of the page"
}

func (e *ActionError) Error() string {
	return "the required action can't be shown: " + e.Member + " " + e.Fault
}

// The faults of members of a required action.
const (
	faultLong       = "is too long"
	faultNoPage     = "is no https or http address of a website's page"
	faultUnreadable = "has characters that nobody sees"
	faultNoText     = "is no text of the page for a payer who waits"
	FaultRepeats    = "repeats secret data of the payment"
)

// Showable returns a required action as it can be stored, and shown after a charge by a method. page says whether the
// payment has one. Errors: ActionError.
func (a RequiredAction) Showable(methodID string, operation method.Operation, page bool) (RequiredAction, error) {
	a, err := a.bounded()
	if err != nil {
		return RequiredAction{}, err
	}
	if member, fault := a.FieldsFault(methodID, operation, page); fault != "" {
		return RequiredAction{}, &ActionError{member, fault}
	}
	return a, nil
}

// bounded returns a required action that can be stored and shown, but for its fields. Errors: ActionError.
func (a RequiredAction) bounded() (RequiredAction, error) {
	leaves := a.Kind == ActionRedirect || a.Kind == Action3DS || a.URL != ""
	switch {
	case len(a.URL) > MaxLink:
		return RequiredAction{}, &ActionError{"url", faultLong}
	case leaves && !method.CheckWebURL(a.URL):
		return RequiredAction{}, &ActionError{"url", faultNoPage}
	case a.Text != "" && !slices.Contains(screen.WaitTexts, a.Text):
		return RequiredAction{}, &ActionError{"text", faultNoText}
	case len(a.Show) > maxShown:
		return RequiredAction{}, &ActionError{"show", fmt.Sprintf("has more than %d rows", maxShown)}
	}
	a.Show = slices.Clone(a.Show)
	for i := range a.Show {
		if fault := boundShown(&a.Show[i]); fault != "" {
			return RequiredAction{}, &ActionError{fmt.Sprintf("show[%d].value", i), fault}
		}
	}
	if text, err := json.Marshal(a); err != nil || len(text) > maxAction {
		return RequiredAction{}, &ActionError{"as a whole", faultLong}
	}
	return a, nil
}

// boundShown checks a value that the payer is shown, and returns what is wrong with it. In a text, characters that
// nobody sees are replaced: they may turn around what is beside them. What the payer copies, sends or opens must not
// have any.
func boundShown(shown *screen.Shown) (wrong string) {
	if len(shown.ID)+len(shown.Value)+len(shown.Currency) > MaxLink {
		return faultLong
	}
	printable := fault.Printable(shown.Value, MaxLink)
	switch shown.Type {
	case screen.ShownQR, screen.ShownImage: // drawn; a QR code may have several lines
		return ""
	case screen.ShownText:
	default:
		if printable != strings.Map(oneSpace, shown.Value) {
			return faultUnreadable
		}
	}
	shown.Value = printable
	return ""
}

// oneSpace replaces white space by a space.
func oneSpace(c rune) rune {
	if unicode.IsSpace(c) {
		return ' '
	}
	return c
}
