package settings

import "regexp"

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

// IsLogoName reports whether a text can be the name of a logo that came with the page.
func IsLogoName(text string) bool { return logoName.MatchString(text) }

// LogoAddress returns the address of the logo for the page, "" for none.
func (b Branding) LogoAddress() string {
	if IsLogoName(b.Logo) {
		return logoFolder + b.Logo
	}
	return b.Logo
}
