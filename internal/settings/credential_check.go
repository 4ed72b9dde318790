package settings

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// maxCredential is the most characters of a credential.
const maxCredential = 4096

// RequiredFor reports whether a MID needs the credential. A market is needed for methods that have no country of their
// own.
func (d Credential) RequiredFor(m MID) bool {
	_, everywhere := m.Markets("")
	return d.Required && (d.Kind != KindMarket || everywhere)
}

// Fault returns what is wrong with a value, "" if nothing is. It never quotes the value.
func (d Credential) Fault(value string, allowLoopback bool) string {
	switch d.Kind {
	case KindAddress:
		return providerAddress(value, allowLoopback)
	case KindChoice:
		return request.OneOf(d.Values...)(value)
	case KindCurrency:
		return request.OrElse(method.TextNotChoice, money.IsListed)(value)
	case KindMarket:
		return request.OrElse(method.TextNotChoice, method.IsCountry)(value)
	case KindLanguage:
		return request.Valid("It should be a language tag such as de or pt-BR.", isLanguageTag)(value)
	case KindText:
		return request.Valid(fmt.Sprintf("It should have at most %d characters, all of them printable, "+
			"and no space at its ends.", maxCredential), isCredentialText)(value)
	}
	return method.TextNotValid // a test has a value of each kind
}

// providerAddress returns what is wrong with the base URL of a provider, "" if nothing is.
func providerAddress(text string, allowLoopback bool) string {
	u, err := url.Parse(text)
	local := err == nil && allowLoopback && isLoopback(u.Hostname())
	switch {
	case !method.CheckReceiverURL(text) || err != nil || u.Scheme != "https" && !local:
		return method.NotValid("It should be an https address such as https://api.provider.example.")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(u.Path, "/"):
		return method.NotValid("It should have no user, no query, no fragment and no slash at its end.")
	case !local && !isPublicHost(u.Hostname()):
		return method.NotValid("It should be the address of a public host.")
	}
	return ""
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// privateDomains are the ends of names that are public nowhere.
var privateDomains = []string{".localhost", ".local", ".internal", ".home.arpa"}

// isPublicHost reports whether a host is a public IP address, or a name that can be public: one of two labels or more,
// the last of which begins with a letter, because some systems read 127.1 and 10.0x1 as IP addresses.
func isPublicHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return isPublicIP(ip)
	}
	name := "." + strings.ToLower(strings.TrimSuffix(host, "."))
	last := name[strings.LastIndexByte(name, '.')+1:]
	private := slices.ContainsFunc(privateDomains, func(end string) bool { return strings.HasSuffix(name, end) })
	return strings.Count(name, ".") > 1 && last != "" && unicode.IsLetter([]rune(last)[0]) && !private
}

// The networks of public IPv6 addresses, and of those IPv4 addresses that are not public beside private ones.
var (
	publicIPv6     = netip.MustParsePrefix("2000::/3")
	thisNetwork    = netip.MustParsePrefix("0.0.0.0/8")
	sharedAddress  = netip.MustParsePrefix("100.64.0.0/10") // of providers' networks
	reservedFuture = netip.MustParsePrefix("240.0.0.0/4")
)

func isPublicIP(ip netip.Addr) bool {
	ip = ip.Unmap()
	if ip.Is6() {
		return publicIPv6.Contains(ip)
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate() &&
		!thisNetwork.Contains(ip) && !sharedAddress.Contains(ip) && !reservedFuture.Contains(ip)
}

func isCredentialText(text string) bool {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	return text == strings.TrimSpace(text) && utf8.RuneCountInString(text) <= maxCredential &&
		!strings.ContainsFunc(text, unprintable)
}

// isLanguageTag reports whether a text has the form of a tag of RFC 3066.
func isLanguageTag(text string) bool {
	for i, part := range strings.Split(text, "-") {
		digits := request.Digits
		if i == 0 {
			digits = ""
		}
		if part == "" || len(part) > 8 || !request.OnlyOf(part, request.Letters+digits) {
			return false
		}
	}
	return true
}

// Markets returns the countries in which the MID's methods are: each method's own, or that of the MID's credentials.
// everywhere is true if any of them is tied to no country.
func (m MID) Markets(ofMID string) (countries []string, everywhere bool) {
	for _, id := range m.Methods {
		found, _ := method.Find(id)
		own := found.Countries
		if len(own) == 0 && method.IsCountry(ofMID) {
			own = []string{ofMID}
		}
		everywhere = everywhere || len(own) == 0
		countries = append(countries, own...)
	}
	slices.Sort(countries)
	return slices.Compact(countries), everywhere || len(countries) == 0
}
