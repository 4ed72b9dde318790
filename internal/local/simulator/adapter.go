package simulator

import (
	"net/http"
	"strings"
)

// adapterRoutes are the requests of infra/adapter.yaml.
func adapterRoutes(s *Simulator) map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{}
	for path, handle := range map[string]adapterHandler{
		"/charge": adapterCharge, "/continue": adapterContinue, "/cancel": adapterCancel, "/lookup": adapterLookUp,
		"/capture": adapterFollow(Capture), "/void": adapterFollow(Void), "/refund": adapterFollow(Refund),
	} {
		routes["POST "+path] = adapterRoute(s, handle)
	}
	routes["POST /describe"] = adapterRoute(s, adapterDescribe)
	routes["POST /"] = adapterRoute(s, adapterOther)
	return routes
}

// adapterOther is a request of a later version of the contract.
func adapterOther(*Simulator, *http.Request, adapterRequest) (any, *adapterRefusal) {
	return nil, &adapterRefusal{http.StatusUnprocessableEntity, "not_supported", "the path is not known"}
}

// adapterDescribe tells how late the provider finds a request, in seconds: longer than foundLate.
func adapterDescribe(*Simulator, *http.Request, adapterRequest) (any, *adapterRefusal) {
	return map[string]int{"found_after": 600}, nil
}

// adapterCharge is POST /charge.
func adapterCharge(s *Simulator, r *http.Request, q adapterRequest) (any, *adapterRefusal) {
	wrong := func(message string) (any, *adapterRefusal) {
		return nil, &adapterRefusal{http.StatusBadRequest, "not_possible", message}
	}
	played, known := adapterMethods[q.Method]
	o := Operation{
		Family: "adapter", Account: Key, Kind: Charge, Reference: q.Reference, Method: q.Method, HoldOnly: q.AuthoriseOnly,
		NoticeURL: q.NoticeURL, ReturnURL: q.ReturnURL,
		Values: map[string]string{"payment": q.Payment, "session": q.Session, "country": q.BillingAddress["country"]},
	}
	o.Amount, _ = q.Amount.read()
	switch q.Operation {
	case "purchase", "debit":
	case "credit", "transfer":
		o.Kind = Payout
	default:
		return wrong("operation is not known")
	}
	switch {
	case q.Kind != "charge":
		return wrong("kind is not that of the path")
	case !known:
		return nil, &adapterRefusal{http.StatusUnprocessableEntity, "not_supported", "method is not known"}
	case played != playCard && played != playWallet && q.Card != nil:
		return wrong("card is only for methods that charge one")
	case adapterWrongWallet(q) != "":
		return wrong(adapterWrongWallet(q))
	case played == playCard && !q.Recurring && (q.Card == nil || q.Card.Number == "" && q.Card.PayeeNumber == ""):
		return wrong("card is missing")
	case q.Amount.Value == "" && played != playAddress:
		return wrong("amount.value is missing")
	case q.Recurring != (q.InitialTransaction != ""):
		return wrong("initial_transaction is for recurring charges, which need it")
	case q.Recurring && (q.StartsChain || q.SavesCard):
		return wrong("a later payment starts no chain and saves no card")
	case q.Card != nil && q.Card.Saved && q.SavesCard:
		return wrong("a saved card is not saved again")
	}
	if q.Card != nil {
		o.Card = q.Card.Number
	}
	if q.Wallet != nil && q.Wallet.Unauthenticated {
		o.Values["unauthenticated"] = "yes"
	}
	o.Values["coin"], o.Values["network"] = firstText(q.Parameters, "crypto_type", "cryptoCurrency"), q.Network
	if network := firstText(q.Parameters, "network_type"); network != "" {
		o.Values["network"] = network
	}
	if short, _ := q.Parameters["bech32"].(bool); short {
		o.Values["short"] = "yes"
	}
	if !q.Recurring {
		o.Step, o.ExpiresAt = adapterStep(s, o, q.ExpiresAt)
	}
	return s.adapterExecute(r, o)
}

func firstText(values map[string]any, names ...string) string {
	for _, name := range names {
		if text, _ := values[name].(string); text != "" {
			return text
		}
	}
	return ""
}

// adapterExecute executes an operation and returns its result.
func (s *Simulator) adapterExecute(r *http.Request, o Operation) (any, *adapterRefusal) {
	done, err := s.execute(r, o)
	if err != nil {
		return nil, &adapterRefusal{http.StatusConflict, "duplicate", err.Error()}
	}
	return s.adapterResult(done), nil
}

// adapterFollow handles captures, voids and refunds.
func adapterFollow(kind Kind) adapterHandler {
	return func(s *Simulator, r *http.Request, q adapterRequest) (any, *adapterRefusal) {
		if q.Kind != string(kind) || q.Charge == nil || q.Charge.Reference == "" {
			return nil, &adapterRefusal{http.StatusBadRequest, "not_possible", "kind or charge.reference is not good"}
		}
		o := Operation{
			Family: "adapter", Account: Key, Kind: kind, Reference: q.Reference, NoticeURL: q.NoticeURL,
			Values: map[string]string{"payment": q.Payment, "session": q.Session},
		}
		o.Amount, _ = q.Amount.read()
		charge, found := s.Find("adapter", q.Charge.Reference)
		if found {
			o.Parent = charge.ID
		}
		if kind == Void && found {
			o.Amount = zero(charge.Amount)
		}
		return s.adapterExecute(r, o)
	}
}

// adapterFind finds the operation that a request is about.
func (s *Simulator) adapterFind(q adapterRequest) (Operation, bool) {
	o, found := s.lookUp("adapter", q.Reference)
	return o, found && o.Reference == q.Reference && adapterKind(o.Kind) == q.Kind
}

// adapterUnknown is the result of a reference that was never received.
func adapterUnknown(q adapterRequest) any {
	return adapterResult{Kind: q.Kind, Reference: q.Reference, Status: "unknown"}
}

func adapterLookUp(s *Simulator, _ *http.Request, q adapterRequest) (any, *adapterRefusal) {
	o, found := s.adapterFind(q)
	if !found {
		return adapterUnknown(q), nil
	}
	return s.adapterResult(o), nil
}

// adapterCancel ends a charge that waits for its payer, unless money has arrived.
func adapterCancel(s *Simulator, _ *http.Request, q adapterRequest) (any, *adapterRefusal) {
	o, found := s.adapterFind(q)
	if !found {
		return adapterUnknown(q), nil
	}
	return s.adapterResult(s.end(o.ID)), nil
}

// adapterContinue is what the payer filled in: RightCode approves, as code or PIN. A wrong one is asked for once more,
// then declined.
func adapterContinue(s *Simulator, _ *http.Request, q adapterRequest) (any, *adapterRefusal) {
	o, found := s.adapterFind(q)
	if !found {
		return adapterUnknown(q), nil
	}
	if o.State != Waiting || o.Step != StepCode {
		return s.adapterResult(o), nil
	}
	code := ""
	for path, value := range q.Sealed {
		if strings.HasSuffix(path, "otp") {
			code = value
		}
	}
	if adapterMethods[o.Method] != playCode {
		code = firstText(q.Parameters, "pin")
	}
	if details, _ := q.Parameters["bankDetails"].(map[string]any); code == "" && details != nil {
		code = firstText(details, "otp")
	}
	choice := Approve
	if code != RightCode && (code != "" || o.Method != "pull_bank") {
		if o, choice = s.wrongCode(o.ID), Decline; o.Values["wrong"] == "1" {
			return s.adapterResult(o), nil
		}
	}
	o, _ = s.Act(o.ID, choice)
	return s.adapterResult(o), nil
}

// wrongCode counts a wrong code.
func (s *Simulator) wrongCode(id string) Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool { return x.ID == id })
	values := map[string]string{"wrong": "1"}
	for name, value := range o.Values {
		if values[name] = value; name == "wrong" {
			values[name] = "2"
		}
	}
	o.Values = values // a new map, because copies of the operation have the old one
	return *o
}
