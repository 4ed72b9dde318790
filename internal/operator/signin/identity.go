package signin

import (
	"context"
	"net/url"
	"strings"

	"checkout/internal/fault"
)

// Identity is who somebody is, as a provider has signed it.
type Identity struct {
	Issuer  string // the provider's address
	Subject string // the person's name at the provider, which it gives to nobody else
	Email   string // "" unless the provider has verified it
}

// Provider knows people.
type Provider interface {
	// SignInURL returns the address at which the provider asks the browser of an attempt who it is.
	SignInURL(ctx context.Context, a Attempt) (string, error)

	// Identify returns whom the provider has sent back with a code, for the attempt that it was sent for. It fails with
	// a *Refusal unless all that the provider says fits the attempt and this service.
	Identify(ctx context.Context, code string, a Attempt) (Identity, error)
}

// Refusal is the error for a sign-in that is refused. Why may be logged.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return "sign-in refused: " + r.Why }

// Refuse returns a *Refusal.
func Refuse(why string) error { return &Refusal{fault.Printable(why, fault.MaxErrorText)} }

const (
	maxWho   = 200 // characters, as grants have them
	maxEmail = 120 // characters, as the audit log has names
)

// Who is the person in grants and in the audit log: oidc/<issuer>/<subject>. An e-mail address would be less: a
// provider may give it to somebody else, or let people write one of their own. The issuer stands there with its path,
// since one host may serve several providers. Nothing of the subject can be read as a part of the issuer, or as a
// wildcard of grants.
func (i Identity) Who() string {
	_, address, _ := strings.Cut(i.Issuer, "://")
	return "oidc/" + strings.TrimRight(address, "/") + "/" + url.PathEscape(i.Subject)
}

// check refuses an identity that no grant can name.
func (i Identity) check() error {
	if who := i.Who(); i.Subject == "" || len(who) > maxWho || fault.Printable(who, maxWho) != who {
		return Refuse("the provider's name of the person is empty or too long")
	}
	return nil
}

// label is how people know the person: the e-mail address, "" if it can't be shown.
func (i Identity) label() string {
	if fault.Printable(i.Email, maxEmail) != i.Email {
		return ""
	}
	return i.Email
}
