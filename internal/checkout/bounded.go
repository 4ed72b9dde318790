package checkout

import (
	"errors"
	"unicode/utf8"

	"checkout/internal/request"
)

// What comes from outside is bounded before it is stored or logged: nobody
// may make a document too large to be stored. In characters, but for links.
const (
	maxResultText = 255     // of each of a provider's texts
	maxCode       = 64      // of a provider's code
	maxShown      = 20      // of what a payer is shown to pay with, entries
	maxLink       = 8 << 10 // bytes of a link, and of each value that a payer is shown
)

var errTooLong = errors.New("the provider's response has a value that is too long")

// bounded returns a provider's result with texts that can be stored. Words
// are cut. A name of the provider's that is too long is left out, since a part of it
// would name nothing, or something else. An amount or a next step that
// is too long can't be understood: an error.
func (r Result) bounded() (Result, error) {
	r.Reason, r.Code = request.Printable(r.Reason, maxResultText), request.Printable(r.Code, maxCode)
	for _, name := range r.ProviderData.texts() {
		if utf8.RuneCountInString(*name) > maxResultText || request.Printable(*name, maxResultText) != *name {
			*name = ""
		}
	}
	if r.RequiredAction == nil {
		return r, nil
	}
	if len(r.RequiredAction.URL) > maxLink || len(r.RequiredAction.Show) > maxShown || len(r.RequiredAction.Text) > maxCode {
		return Result{}, errTooLong
	}
	for _, shown := range r.RequiredAction.Show {
		if len(shown.ID)+len(shown.Value)+len(shown.Currency) > maxLink {
			return Result{}, errTooLong
		}
	}
	return r, nil
}
