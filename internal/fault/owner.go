package fault

// Owner is the merchant and the mode, live or test, that a document belongs to. It does not depend on the merchant's
// keys, which may be replaced.
type Owner struct {
	Merchant string `json:"merchant"`       // its id
	Test     bool   `json:"test,omitempty"` // made with the test key
}

// Text returns the owner as part of hashes and associated data. Different owners have different texts.
func (o Owner) Text() string {
	if o.Test {
		return "test/" + o.Merchant
	}
	return "live/" + o.Merchant
}

// Label returns the owner as shown to operators.
func (o Owner) Label() string {
	if o.Test {
		return o.Merchant + " (test)"
	}
	return o.Merchant
}
