package demo

// session is a session request. Its members have the order of the specification.
type session struct {
	MerchantKey         string            `json:"merchant_key"`
	Operation           string            `json:"operation"`
	Methods             []string          `json:"methods,omitempty"`
	Order               orderFields       `json:"order"`
	SuccessURL          string            `json:"success_url"`
	CancelURL           string            `json:"cancel_url"`
	ExpiryURL           string            `json:"expiry_url"`
	ErrorURL            string            `json:"error_url"`
	URLTarget           string            `json:"url_target,omitempty"`
	CheckoutLanguage    string            `json:"checkout_language,omitempty"`
	Customer            *person           `json:"customer,omitempty"`
	BillingAddress      *address          `json:"billing_address,omitempty"`
	Payee               *person           `json:"payee,omitempty"`
	PayeeBillingAddress *address          `json:"payee_billing_address,omitempty"`
	Parameters          map[string]any    `json:"parameters,omitempty"`
	CardToken           []string          `json:"card_token,omitempty"`
	ReqToken            bool              `json:"req_token,omitempty"`
	Auth                bool              `json:"auth,omitempty"`
	RecurringInit       bool              `json:"recurring_init,omitempty"`
	ScheduleID          string            `json:"schedule_id,omitempty"`
	ConsentRequired     bool              `json:"recurring_consent_required,omitempty"`
	CustomData          map[string]string `json:"custom_data"`
	Hash                string            `json:"hash"`
}

type orderFields struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

type person struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

// names of people who do not exist.
const (
	buyerName, buyerEmail = "Ada Example", "ada@example.com"
	payeeName, payeeEmail = "Grace Example", "grace@example.com"
)

// Placeholders of a session request, which the shop replaces before it sends one.
const (
	keySlot   = "{key}"   // the merchant key
	orderSlot = "{order}" // a new order number
	hashSlot  = "{hash}"
)

// session returns the request of what the buyer chose, with placeholders.
func (s *Shop) session(f form) session {
	back := func(ending string) string {
		return s.config.BaseURL + "/demo/return/" + ending + "?order=" + orderSlot
	}
	r := session{
		MerchantKey: keySlot, Operation: f.Operation, Hash: hashSlot,
		Order:      orderFields{orderSlot, f.Amount, f.Currency, product.Name},
		SuccessURL: back("success"), CancelURL: back("cancel"), ExpiryURL: back("expiry"), ErrorURL: back("error"),
		CheckoutLanguage: f.Language,
		ReqToken:         f.Save, Auth: f.Auth,
		CustomData: map[string]string{"product": product.ID},
	}
	m := s.methods.find(f.Method)
	if m.ID != "" {
		r.Methods = []string{m.ID}
		if sent := m.parameters(f.Ask); sent != nil {
			r.Parameters = map[string]any{m.ID: sent}
		}
	}
	if f.Saved {
		r.CardToken = s.cards(s.config.key(f.Live))
	}
	if f.Schedule != "" {
		r.RecurringInit, r.ConsentRequired, r.ScheduleID = true, true, f.Schedule
	}
	if f.Frame {
		r.URLTarget = "_parent"
	}
	if f.Operation == "credit" || f.Operation == "transfer" {
		at := m.home().Address
		r.Payee, r.PayeeBillingAddress = &person{payeeName, payeeEmail}, &at
	}
	r.addBuyer(f, m)
	return r
}

// addBuyer adds what the shop knows of its buyer, as far as the form says.
func (r *session) addBuyer(f form, m method) {
	if f.Customer {
		at := m.home().Address
		r.Customer, r.BillingAddress = &person{buyerName, buyerEmail}, &at
	}
	if f.Outcome != "" {
		if r.Customer == nil {
			r.Customer = &person{}
		}
		r.Customer.Email = f.Outcome
	}
}
