package merchant

import (
	"strings"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Branding is how the checkout page looks for a merchant's payers. Everything in it may be absent.
type Branding struct {
	Logo       string `json:"logo,omitempty"`   // https address of a picture
	Accent     string `json:"accent,omitempty"` // colour of Pay, focus and the chosen method: #rrggbb
	LegalName  string `json:"legal_name,omitempty"`
	TermsURL   string `json:"terms_url,omitempty"`
	PrivacyURL string `json:"privacy_url,omitempty"`
	// ImageHosts are the hosts that pictures of cart items may come from, such as images.shop.example.
	ImageHosts []string `json:"image_hosts,omitempty"`
}

var (
	isSecureURL = request.OrElse(method.TextNotURL, func(text string) bool {
		return method.CheckWebURL(text) && strings.HasPrefix(text, "https://")
	})
	isColour = request.Valid("It should be a colour such as #0a7d4f.", func(text string) bool {
		return len(text) == 7 && text[0] == '#' && request.OnlyOf(text[1:], request.Digits+"abcdefABCDEF")
	})
	isHost = request.Valid("It should be the name of a host, such as images.shop.example.", func(text string) bool {
		return request.OnlyOf(text, request.Digits+request.Letters+".-") && strings.Contains(text, ".") &&
			method.CheckWebURL("https://"+text+"/")
	})
)

func (c settings) branding(b Branding) {
	c.at("logo").text(b.Logo, isSecureURL)
	c.at("accent").text(b.Accent, isColour)
	c.at("legal_name").text(b.LegalName, request.UpTo(255))
	c.at("terms_url").text(b.TermsURL, isSecureURL)
	c.at("privacy_url").text(b.PrivacyURL, isSecureURL)
	c.each("image_hosts", b.ImageHosts, isHost)
}
