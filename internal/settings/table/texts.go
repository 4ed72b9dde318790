package table

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/sensitive"
	"checkout/internal/settings"
	"checkout/internal/signature"
)

// The checks of single texts.
var (
	isKnownMethod    = request.OrElse(method.TextNotChoice, func(id string) bool { _, ok := method.Find(id); return ok })
	isKnownCurrency  = request.OrElse(method.TextNotChoice, money.IsListed)
	isKnownOperation = request.OneOf(method.Operations...)
	isKnownCountry   = request.OrElse(method.TextNotChoice, method.IsCountry)
	isKnownField     = request.OrElse(method.TextNotChoice, canAskFor)
	isLabelledField  = request.OrElse(method.TextNotChoice, canLabel)
	isOrderedField   = request.OrElse(method.TextNotChoice, canOrder)
	isLanguage       = request.OneOf(request.Languages...)
	isAppScheme      = request.Valid(
		"It should be the scheme of an app in lower case, without ://, and none of a system.",
		func(text string) bool { return text == strings.ToLower(text) && request.IsAppScheme(text) })
	isMethodName = request.Valid("It should have 1 to 40 printable characters, and no card number.",
		func(text string) bool {
			return method.LengthFault(text, 1, 40) == "" && fault.Printable(text, 40) == text && !sensitive.HasCard(text)
		})
	isRate = request.Valid("It should be a percentage such as 19 or 5.5.", func(text string) bool {
		_, err := money.ParseRate(text)
		return err == nil
	})
	isLabel = request.Valid("It should have at most 64 characters, all of them printable.",
		func(text string) bool { return fault.Printable(text, maxLabel) == text })
	isSecureURL = request.OrElse(method.TextNotURL, func(text string) bool {
		return method.CheckWebURL(text) && strings.HasPrefix(text, "https://")
	})
	isLogo = request.Valid("It should be an https address, or the name of an uploaded logo such as shop.svg.",
		func(text string) bool { return settings.IsLogoName(text) || isSecureURL(text) == "" })
	isColour = request.Valid("It should be a colour such as #0a7d4f.", func(text string) bool {
		digits, found := strings.CutPrefix(text, "#")
		return found && len(digits) == 6 && request.OnlyOf(strings.ToLower(digits), request.Digits+"abcdef")
	})
	isHost = request.Valid("It should be the name of a host, such as images.shop.example.", func(text string) bool {
		return request.OnlyOf(text, request.Digits+request.Letters+".-") && strings.Contains(text, ".") &&
			method.CheckWebURL("https://"+text+"/")
	})
	isHostName = request.Valid("It should be a host name such as shop.example.",
		func(text string) bool { return len(text) <= 253 && hostName().MatchString(text) })
	isSupportPhone = request.Valid("It should be a phone number such as +49 30 1234567.", func(text string) bool {
		return len(text) <= 32 && method.CheckPhone(strings.ReplaceAll(text, " ", ""))
	})
	isPostalAddress = request.Valid("It should have 5 to 200 printable characters in one line.", func(text string) bool {
		return method.LengthFault(text, 5, 200) == "" && fault.Printable(text, 200) == text
	})
	isOrigin = request.Valid("It should be an origin such as https://shop.example or https://shop.example:8443.",
		checkOrigin)
)

// hostName matches the name of a host as browsers write it: small letters, no port, no dot at its end.
var hostName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
})

// maxLabel is the most characters of a label of a form.
const maxLabel = 64

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

// canAskFor reports whether a mapping or form can ask payers for a field of the page.
func canAskFor(id string) bool {
	f, ok := method.FindPageField(id)
	return ok && !f.Sealed && f.When != method.BySession && f.With == ""
}

func canLabel(id string) bool {
	f, _ := method.FindPageField(id)
	return canAskFor(id) || f.With != "" || method.AsksFor(id)
}

// canOrder reports whether a form can order a field. A card's fields stay together in their box.
func canOrder(id string) bool {
	f, _ := method.FindPageField(id)
	return f.Kind == method.FieldCardNumber || f.With == "" && canLabel(id)
}

// isCallbackSecret accepts what can sign callbacks.
func isCallbackSecret(text string) string {
	if _, err := signature.Webhook(text, "check", time.Time{}, nil); err != nil {
		return method.NotValid("It should be whsec_ and base64.")
	}
	return ""
}

// isParameter and isPublicParameter check what the page passes on to a gateway.
var isParameter = request.Valid("It should have names and values of 1 to 255 characters.",
	func(text string) bool { return text != "" && len(text) <= 255 })

func isPublicParameter(text string) string {
	if strings.HasPrefix(text, "sk_") || strings.HasPrefix(text, "rk_") {
		return method.NotValid("It has a secret key, which every payer could read.")
	}
	return isParameter(text)
}

// Values returns the choices of a list. The connectors are those of the service.
func (l List) Values(connectors settings.Declarations) []string {
	switch l {
	case Connectors:
		return slices.Sorted(maps.Keys(connectors))
	case Methods:
		return method.IDs()
	case Currencies:
		return money.Codes()
	case Countries:
		return method.Countries()
	case Languages:
		return request.Languages
	case Fields:
		return pageFields(canAskFor)
	case Ordered:
		return pageFields(canOrder)
	}
	return nil
}

// pageFields returns the ids of some fields of the page.
func pageFields(is func(id string) bool) (all []string) {
	for _, f := range method.PageFields {
		if is(f.ID) {
			all = append(all, f.ID)
		}
	}
	return all
}

// texts returns texts of a type as texts.
func texts[T ~string](of ...T) []string {
	all := make([]string, len(of))
	for i, text := range of {
		all[i] = string(text)
	}
	return all
}
