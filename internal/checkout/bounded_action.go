package checkout

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"checkout/internal/request"
	"checkout/internal/screen"
)

// maxAction is the most bytes of a required action as it is stored. Payment and session have it, the payment twice.
const maxAction = 64 << 10

// The errors of a required action that no payer may be given.
var (
	errNoPage     = errors.New("the provider sends the payer to what is no page of a website")
	errUnreadable = errors.New("the provider shows a value with characters that nobody sees")
)

// bounded returns a required action that can be stored and shown, or an error.
func (a RequiredAction) bounded() (RequiredAction, error) {
	leaves := a.Kind == StatusRedirect || a.Kind == Status3DS || a.URL != ""
	switch {
	case len(a.URL) > maxLink || len(a.Show) > maxShown || len(a.Text) > maxCode:
		return RequiredAction{}, errTooLong
	case leaves && !isPage(a.URL):
		return RequiredAction{}, errNoPage
	}
	a.Show = slices.Clone(a.Show)
	for i := range a.Show {
		if err := boundShown(&a.Show[i]); err != nil {
			return RequiredAction{}, err
		}
	}
	if text, err := json.Marshal(a); err != nil || len(text) > maxAction {
		return RequiredAction{}, errTooLong
	}
	return a, nil
}

// boundShown checks a value that the payer is shown. In a text, characters that nobody sees are replaced: they may turn
// around what is beside them. What the payer copies, sends or opens must not have any.
func boundShown(shown *screen.Shown) error {
	if len(shown.ID)+len(shown.Value)+len(shown.Currency) > maxLink {
		return errTooLong
	}
	printable := request.Printable(shown.Value, maxLink)
	switch shown.Type {
	case screen.ShownQR, screen.ShownImage: // drawn; a QR code may have several lines
		return nil
	case screen.ShownText:
	default:
		if printable != strings.Map(oneSpace, shown.Value) {
			return errUnreadable
		}
	}
	shown.Value = printable
	return nil
}

// oneSpace replaces white space by a space.
func oneSpace(c rune) rune {
	if unicode.IsSpace(c) {
		return ' '
	}
	return c
}

// isPage reports whether a text is the address of a website's page.
func isPage(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil
}
