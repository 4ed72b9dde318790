package request

import (
	"encoding/json"
	"regexp"

	"checkout/internal/fault"
)

// Browser is what a provider's 3-D Secure 2 gets of the payer's browser (EMV 3-D Secure, browser data): headers of its
// request, and what the page measures. Anybody can send other values: nothing depends on them.
type Browser struct {
	UserAgent    string `json:"user_agent,omitempty"`    // the header User-Agent, at most 2,048 characters
	AcceptHeader string `json:"accept_header,omitempty"` // the header Accept, at most 2,048 characters
	Measures
}

// BrowserMeasures is what a page sends of its browser. If it can't be read, it is left out: no payment fails by it.
type BrowserMeasures struct{ Measures }

// UnmarshalJSON implements json.Unmarshaler.
func (b *BrowserMeasures) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &b.Measures) != nil {
		b.Measures = Measures{}
	}
	return nil
}

// Measures are the part of a Browser that the page measures.
type Measures struct {
	Language     string `json:"language,omitempty"`     // a BCP 47 tag
	ScreenWidth  int    `json:"screen_width,omitempty"` // pixels of CSS
	ScreenHeight int    `json:"screen_height,omitempty"`
	ColorDepth   int    `json:"color_depth,omitempty"` // bits of a pixel, one of colorDepths
	// TimeZoneOffset is what is added to the payer's time to get UTC, in minutes: -60 in winter in Berlin.
	TimeZoneOffset    *int  `json:"time_zone_offset,omitempty"`
	JavaEnabled       *bool `json:"java_enabled,omitempty"`
	JavaScriptEnabled *bool `json:"javascript_enabled,omitempty"`
}

// Limits of what is stored of a browser, which are those of EMV 3-D Secure.
const (
	maxHeader     = 2048
	maxScreen     = 999_999
	maxZoneOffset = 14 * 60
)

// colorDepths are the depths that 3-D Secure knows.
var colorDepths = []int{48, 32, 24, 16, 15, 8, 4, 1}

var languageForm = regexp.MustCompile("^[A-Za-z0-9-]{1,35}$")

// Bounded returns the data without values that no browser has, since a payment does not fail by them. A colour depth
// that 3-D Secure does not know is the next lower one.
func (b Browser) Bounded() Browser {
	b.UserAgent, b.AcceptHeader = fault.Printable(b.UserAgent, maxHeader), fault.Printable(b.AcceptHeader, maxHeader)
	if !languageForm.MatchString(b.Language) {
		b.Language = ""
	}
	if b.ScreenWidth < 1 || b.ScreenWidth > maxScreen || b.ScreenHeight < 1 || b.ScreenHeight > maxScreen {
		b.ScreenWidth, b.ScreenHeight = 0, 0
	}
	if offset := b.TimeZoneOffset; offset != nil && (*offset < -maxZoneOffset || *offset > maxZoneOffset) {
		b.TimeZoneOffset = nil
	}
	b.ColorDepth = knownDepth(b.ColorDepth)
	return b
}

// knownDepth returns the greatest of colorDepths that is not above a measured depth, 0 for none.
func knownDepth(measured int) int {
	for _, depth := range colorDepths {
		if measured >= depth && measured <= colorDepths[0] {
			return depth
		}
	}
	return 0
}
