package settings

import (
	"net/url"
	"regexp"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
)

// Branding is how the checkout page looks for payers, and where it may be shown. Everything in it may be absent.
type Branding struct {
	Logo       string `json:"logo,omitempty"`   // https address of a picture, or the name of one that came with the page
	Accent     string `json:"accent,omitempty"` // colour of Pay, focus and the chosen method: #rrggbb
	LegalName  string `json:"legal_name,omitempty"`
	TermsURL   string `json:"terms_url,omitempty"`
	PrivacyURL string `json:"privacy_url,omitempty"`

	Support Support `json:"support,omitzero"` // where payers reach the shop
	// ImageHosts are the hosts that pictures of cart items may come from, such as images.shop.example.
	ImageHosts []string `json:"image_hosts,omitempty"`
	// FrameOrigins are the origins whose pages may show the checkout in a frame, as browsers write them. Empty: any.
	FrameOrigins []string `json:"frame_origins,omitempty"`
}

// Support is where payers reach the shop.
type Support struct {
	Email   string `json:"email,omitempty"`
	Phone   string `json:"phone,omitempty"`
	Address string `json:"address,omitempty"` // to write to, in one line
}

// logoFolder is where the page has the logos that were uploaded with it. The page's build checks their names, too.
const logoFolder = "/logos/"

var logoName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}\.(png|svg|webp)$`)

// LogoAddress returns the address of the logo for the page, "" for none.
func (b Branding) LogoAddress() string {
	if logoName.MatchString(b.Logo) {
		return logoFolder + b.Logo
	}
	return b.Logo
}

var (
	isSecureURL = request.OrElse(method.TextNotURL, func(text string) bool {
		return method.CheckWebURL(text) && strings.HasPrefix(text, "https://")
	})
	isLogo = request.Valid("It should be an https address, or the name of an uploaded logo such as shop.svg.",
		func(text string) bool { return logoName.MatchString(text) || isSecureURL(text) == "" })
	isColour = request.Valid("It should be a colour such as #0a7d4f.", func(text string) bool {
		return len(text) == 7 && text[0] == '#' && request.OnlyOf(text[1:], request.Digits+"abcdefABCDEF")
	})
	isHost = request.Valid("It should be the name of a host, such as images.shop.example.", func(text string) bool {
		return request.OnlyOf(text, request.Digits+request.Letters+".-") && strings.Contains(text, ".") &&
			method.CheckWebURL("https://"+text+"/")
	})
	isSupportPhone = request.Valid("It should be a phone number such as +49 30 1234567.", func(text string) bool {
		return len(text) <= 32 && method.CheckPhone(strings.ReplaceAll(text, " ", ""))
	})
	isPostalAddress = request.Valid("It should have 5 to 200 printable characters in one line.", func(text string) bool {
		return method.LengthFault(text, 5, 200) == "" && fault.Printable(text, 200) == text
	})
	isOrigin = request.Valid("It should be an origin such as https://shop.example or https://shop.example:8443.",
		checkOrigin)
)

// checkOrigin accepts an origin as browsers write it, so that equal ones are equal texts: in lower case and without the
// usual port. Without TLS only the machine itself is accepted, where a shop is tried.
func checkOrigin(text string) bool {
	u, err := url.Parse(text)
	if err != nil || text != u.Scheme+"://"+u.Host || text != strings.ToLower(text) || !method.CheckWebURL(text+"/") {
		return false
	}
	local := u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1"
	return u.Scheme == "https" && u.Port() != "443" || u.Scheme == "http" && local && u.Port() != "80"
}

func (c settings) branding(b Branding) {
	c.at("logo").text(b.Logo, isLogo)
	c.at("accent").text(b.Accent, isColour)
	c.at("legal_name").text(b.LegalName, request.UpTo(255))
	c.at("terms_url").text(b.TermsURL, isSecureURL)
	c.at("privacy_url").text(b.PrivacyURL, isSecureURL)
	c.at("support").at("email").text(b.Support.Email, request.IsEmail)
	c.at("support").at("phone").text(b.Support.Phone, isSupportPhone)
	c.at("support").at("address").text(b.Support.Address, isPostalAddress)
	c.each("image_hosts", b.ImageHosts, isHost)
	c.each("frame_origins", b.FrameOrigins, isOrigin)
}
