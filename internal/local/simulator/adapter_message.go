package simulator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/money"
)

// adapterTolerance is how old or new a signed request may be.
const adapterTolerance = 5 * time.Minute

// adapterRequest is the body of any request of infra/adapter.yaml.
type adapterRequest struct {
	Kind      string         `json:"kind"`
	Reference string         `json:"reference"`
	Payment   string         `json:"payment"`
	Session   string         `json:"session"`
	Amount    *adapterAmount `json:"amount"`
	Charge    *struct {
		Reference  string `json:"reference"`
		ProviderID string `json:"provider_id"`
	} `json:"charge"`
	NoticeURL string `json:"notice_url"`

	Operation          string            `json:"operation"`
	Method             string            `json:"method"`
	Parameters         map[string]any    `json:"parameters"`
	Sealed             map[string]string `json:"sealed"`
	Network            string            `json:"network"`
	Description        string            `json:"description"`
	AuthoriseOnly      bool              `json:"authorise_only"`
	Recurring          bool              `json:"recurring"`
	InitialTransaction string            `json:"initial_transaction"`
	NetworkID          string            `json:"network_transaction_id"`
	StartsChain        bool              `json:"starts_chain"`
	SavesCard          bool              `json:"saves_card"`
	Customer           map[string]string `json:"customer"`
	BillingAddress     map[string]string `json:"billing_address"`
	Payee              json.RawMessage   `json:"payee"`
	PayerIP            string            `json:"payer_ip"`
	StatedIP           string            `json:"stated_ip"`
	Browser            map[string]any    `json:"browser"`
	ReturnURL          string            `json:"return_url"`
	ExpiresAt          time.Time         `json:"expires_at"`
	Language           string            `json:"language"`
	Card               *struct {
		Number       string `json:"number"`
		ExpiryMonth  int    `json:"expiry_month"`
		ExpiryYear   int    `json:"expiry_year"`
		SecurityCode string `json:"security_code"`
		Holder       string `json:"holder"`
		PayeeNumber  string `json:"payee_number"`
		Saved        bool   `json:"saved"`
		PANType      string `json:"pan_type"`
		Cryptogram   string `json:"cryptogram"`
		ECI          string `json:"eci"`
	} `json:"card"`
	Wallet *adapterWallet `json:"wallet"`
}

// adapterAmount is an amount of a request or result.
type adapterAmount struct {
	Value    string `json:"value,omitempty"`
	Currency string `json:"currency"`
	Exponent int    `json:"exponent"`
}

// adapterAmountOf writes an amount with as many decimals as its exponent says.
func adapterAmountOf(a money.Amount) *adapterAmount {
	value := a.String()
	if a.Currency().Exponent == 0 {
		value, _, _ = strings.Cut(value, ".")
	}
	return &adapterAmount{value, a.Currency().Code, a.Currency().Exponent}
}

// read returns an amount, zero if it has no value.
func (a *adapterAmount) read() (money.Amount, bool) {
	if a == nil {
		return money.Amount{}, false
	}
	currency, found := money.Find(a.Currency)
	if !found || currency.Exponent != a.Exponent {
		return money.Amount{}, false
	}
	if a.Value == "" {
		return money.Zero(currency), true
	}
	amount, err := money.Parse(a.Value, currency)
	return amount, err == nil && adapterAmountOf(amount).Value == a.Value
}

// adapterRefusal is the reason of a refused request and the field that is wrong.
type adapterRefusal struct {
	status          int
	reason, message string
}

// adapterHandler handles a request that is authentic and readable. A nil refusal is status 200.
type adapterHandler func(s *Simulator, r *http.Request, q adapterRequest) (any, *adapterRefusal)

// adapterRoute checks, handles and responds to requests of one path.
func adapterRoute(s *Simulator, handle adapterHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/adapter")
		text, _ := io.ReadAll(r.Body)
		if refusal := adapterForged(s, r, path, string(text)); refusal != "" {
			writeJSON(w, http.StatusUnauthorized, adapterError(adapterRefusal{0, "not_allowed", refusal}))
			return
		}
		var q adapterRequest
		var result any
		refusal := &adapterRefusal{http.StatusBadRequest, "not_possible", "the body is no request of the contract"}
		if err := json.Unmarshal(text, &q); err == nil {
			if refusal = adapterWrong(r, path, q); refusal == nil {
				result, refusal = handle(s, r, q)
			}
		}
		status := http.StatusOK
		if refusal != nil {
			status, result = refusal.status, adapterError(*refusal)
		}
		body, _ := json.Marshal(result)
		id, at := r.Header.Get("webhook-id"), strconv.FormatInt(s.Now().Unix(), 10)
		adapterSign(w.Header(), id, at, strconv.Itoa(status)+"."+string(body))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

func adapterError(r adapterRefusal) any {
	return map[string]any{"error": map[string]string{"reason": r.reason, "message": r.message}}
}

// adapterSign sets the headers of a signed message.
func adapterSign(header http.Header, id, at, content string) {
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", at)
	header.Set("webhook-signature", adapterSignature(id, at, content))
}

func adapterSignature(id, at, content string) string {
	mac := hmac.New(sha256.New, []byte(Secret))
	mac.Write([]byte(id + "." + at + "." + content))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// adapterForged returns why a request is not authentic, "" if it is.
func adapterForged(s *Simulator, r *http.Request, path, body string) string {
	id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	switch {
	case r.Header.Get("Adapter-Key") != Key:
		return "Adapter-Key is not known"
	case id == "" || err != nil || s.Now().Sub(time.Unix(seconds, 0)).Abs() > adapterTolerance:
		return "webhook-id or webhook-timestamp is not good"
	case !slices.Contains(strings.Fields(r.Header.Get("webhook-signature")),
		adapterSignature(id, at, "POST "+path+"."+body)):
		return "webhook-signature is wrong"
	}
	return ""
}

// adapterWrong checks what all requests have in common. It returns nil if that is right.
func adapterWrong(r *http.Request, path string, q adapterRequest) *adapterRefusal {
	wrong := func(reason, message string) *adapterRefusal {
		return &adapterRefusal{http.StatusBadRequest, reason, message}
	}
	if path == "/describe" {
		return nil
	}
	if q.Reference == "" || q.Kind == "" {
		return wrong("not_possible", "reference or kind is missing")
	}
	if path == "/lookup" {
		return nil
	}
	amount, readable := q.Amount.read()
	anyAmount := readable && q.Amount.Value == "" && (path == "/charge" || path == "/continue" || path == "/cancel")
	switch {
	case r.Header.Get("Idempotency-Key") != q.Reference:
		return wrong("not_possible", "Idempotency-Key is not the reference")
	case q.Payment == "":
		return wrong("not_possible", "payment is missing")
	case path == "/void" && q.Amount != nil:
		return wrong("not_possible", "a void has no amount")
	case path != "/void" && !anyAmount && (!readable || amount.IsZero()):
		return wrong("amount_invalid", "amount is not valid")
	}
	return nil
}

// adapterWallet is what a charge has of a wallet.
type adapterWallet struct {
	Kind            string `json:"kind"`
	Flow            string `json:"flow"`
	Token           string `json:"token"`
	Unauthenticated bool   `json:"unauthenticated"`
}
