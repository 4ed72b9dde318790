package request

// Owner is whom a document belongs to: a merchant, in live or in test mode. Keys of the merchant may be
// replaced; what belongs to it stays its own.
type Owner struct {
	Merchant string `json:"merchant"`       // its id
	Test     bool   `json:"test,omitempty"` // made with the test key
}

// Text is the owner as a part of hashes and associated data. No two owners have the same.
func (o Owner) Text() string {
	if o.Test {
		return "test/" + o.Merchant
	}
	return "live/" + o.Merchant
}

// Label is the owner for people.
func (o Owner) Label() string {
	if o.Test {
		return o.Merchant + " (test)"
	}
	return o.Merchant
}
