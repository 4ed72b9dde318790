package api

import (
	"context"
	"encoding/json"
	"net/http"

	"checkout/internal/fault"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
	"checkout/internal/request"
)

// pageAPI handles the requests of the checkout page.
type pageAPI struct{ page *payer.Page }

// Page returns the routes of the checkout page.
func Page(of *payer.Page) Routes {
	p := pageAPI{of}
	return Routes{
		{"GET", "/page/v1/{session}", ofSession(of.NextScreen)},
		{"POST", "/page/v1/{session}/pay", raw(p.pay)},
		{"POST", "/page/v1/{session}/second-form", raw(p.submitSecondForm)},
		{"POST", "/page/v1/{session}/another", ofSession(of.ChooseAnother)},
		{"POST", "/page/v1/{session}/cancel", ofSession(of.Cancel)},
		{"POST", "/page/v1/{session}/more-time", ofSession(of.MoreTime)},
		{"POST", "/page/v1/{session}/remove-card", raw(p.removeCard)},
		{"POST", "/page/v1/{session}/applepay", raw(p.merchantSession)},
		{"GET", "/page/v1/{session}/return", raw(p.payerReturned)},
	}
}

// ofSession handles a request that names a session and nothing else. Its response is the next screen.
func ofSession(f func(ctx context.Context, session string) (screen.Screen, error)) raw {
	return func(w http.ResponseWriter, r *http.Request) error {
		screen, err := f(r.Context(), r.PathValue("session"))
		return writeScreen(w, screen, err)
	}
}

// pay handles POST /page/v1/{session}/pay.
func (p pageAPI) pay(w http.ResponseWriter, r *http.Request) error {
	var pay form.Request
	if err := readJSON(r, &pay); err != nil {
		return err
	}
	sender := payer.Payer{IP: payerIP(r), UserAgent: r.UserAgent(), AcceptHeader: r.Header.Get("Accept")}
	screen, err := p.page.Pay(r.Context(), r.PathValue("session"), pay, sender)
	return writeScreen(w, screen, err)
}

// submitSecondForm handles the second form, which the payer fills in when a provider needs more.
func (p pageAPI) submitSecondForm(w http.ResponseWriter, r *http.Request) error {
	var second payer.SecondForm
	if err := readJSON(r, &second); err != nil {
		return err
	}
	screen, err := p.page.SubmitSecondForm(r.Context(), r.PathValue("session"), second)
	return writeScreen(w, screen, err)
}

// removeCard handles POST /page/v1/{session}/remove-card.
func (p pageAPI) removeCard(w http.ResponseWriter, r *http.Request) error {
	var removal payer.CardRemoval
	if err := readJSON(r, &removal); err != nil {
		return err
	}
	screen, err := p.page.RemoveCard(r.Context(), r.PathValue("session"), removal)
	return writeScreen(w, screen, err)
}

// merchantSession handles POST /page/v1/{session}/applepay.
func (p pageAPI) merchantSession(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Domain string `json:"domain"` // host of the top-level page
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	object, err := p.page.BeginMerchantSession(r.Context(), r.PathValue("session"), asked.Domain)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, object)
	return nil
}

// readJSON reads what the page sent.
func readJSON(r *http.Request, into any) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	if len(body) > request.MaxBody || json.Unmarshal(body, into) != nil {
		return fault.At("", invalidData)
	}
	return nil
}

func writeScreen(w http.ResponseWriter, screen screen.Screen, err error) error {
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, screen)
	return nil
}

// payerReturned handles GET /page/v1/{session}/return, to which providers redirect the payer after their own page.
func (p pageAPI) payerReturned(w http.ResponseWriter, r *http.Request) error {
	url, err := p.page.PayerReturned(r.Context(), r.PathValue("session"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}
