package api

import (
	"encoding/json"
	"net/http"

	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
	"checkout/internal/request"
)

// nextScreen handles GET /page/v1/{session}.
func (a *API) nextScreen(w http.ResponseWriter, r *http.Request) error {
	screen, err := a.Payer.NextScreen(r.Context(), r.PathValue("session"))
	return writeScreen(w, screen, err)
}

// pay handles POST /page/v1/{session}/pay.
func (a *API) pay(w http.ResponseWriter, r *http.Request) error {
	var pay form.Request
	if err := readJSON(r, &pay); err != nil {
		return err
	}
	sender := payer.Payer{IP: payerIP(r), UserAgent: r.UserAgent(), AcceptHeader: r.Header.Get("Accept")}
	screen, err := a.Payer.Pay(r.Context(), r.PathValue("session"), pay, sender)
	return writeScreen(w, screen, err)
}

// submitSecondForm handles the second form, which the payer fills in when a provider needs more.
func (a *API) submitSecondForm(w http.ResponseWriter, r *http.Request) error {
	var second payer.SecondForm
	if err := readJSON(r, &second); err != nil {
		return err
	}
	screen, err := a.Payer.SubmitSecondForm(r.Context(), r.PathValue("session"), second)
	return writeScreen(w, screen, err)
}

// chooseAnother handles POST /page/v1/{session}/another.
func (a *API) chooseAnother(w http.ResponseWriter, r *http.Request) error {
	screen, err := a.Payer.ChooseAnother(r.Context(), r.PathValue("session"))
	return writeScreen(w, screen, err)
}

// cancel handles POST /page/v1/{session}/cancel.
func (a *API) cancel(w http.ResponseWriter, r *http.Request) error {
	screen, err := a.Payer.Cancel(r.Context(), r.PathValue("session"))
	return writeScreen(w, screen, err)
}

// removeCard handles POST /page/v1/{session}/remove-card.
func (a *API) removeCard(w http.ResponseWriter, r *http.Request) error {
	var removal payer.CardRemoval
	if err := readJSON(r, &removal); err != nil {
		return err
	}
	screen, err := a.Payer.RemoveCard(r.Context(), r.PathValue("session"), removal)
	return writeScreen(w, screen, err)
}

// merchantSession handles POST /page/v1/{session}/applepay.
func (a *API) merchantSession(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Domain string `json:"domain"` // host of the top-level page
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	object, err := a.Payer.BeginMerchantSession(r.Context(), r.PathValue("session"), asked.Domain)
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
		return invalid("", invalidData)
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
func (a *API) payerReturned(w http.ResponseWriter, r *http.Request) error {
	url, err := a.Payer.PayerReturned(r.Context(), r.PathValue("session"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}
