package checkout

import "slices"

// SandboxConnector is the connector that the test key always goes to (decisions.md 8).
const SandboxConnector = "sandbox"

// route is where a session's payments can go: the mapping that governs it and
// the MIDs that fit, in the order in which they are tried.
type route struct {
	mapping *Mapping
	mids    []MID
}

// findRoute picks the first enabled mapping with a MID for the request. It
// answers CodeDenied if only disabled mappings have one, and "Protocol mapping
// not found." if none has.
func findRoute(m *Merchant, req *SessionRequest) (route, error) {
	disabled := false
	for i := range m.Mappings {
		mapping := &m.Mappings[i]
		mids := fitting(mapping.MIDs, m, req)
		switch {
		case len(mids) == 0:
		case mapping.Disabled:
			disabled = true
		default:
			return route{mapping, mids}, nil
		}
	}
	if disabled {
		return route{}, errDenied()
	}
	return route{}, errNoMapping()
}

func errNoMapping() *Error {
	return refuse(CodeInvalid, FaultNoMapping, "Protocol mapping not found.")
}

// fitting answers the enabled MIDs that can take the request, with the
// methods that the request allows. With the test key every MID is the sandbox.
func fitting(mids []MID, m *Merchant, req *SessionRequest) []MID {
	var fit []MID
	for _, mid := range mids {
		mid.Methods = allowed(mid.Methods, req.Methods)
		switch {
		case mid.Disabled, len(mid.Methods) == 0:
		case req.ChannelID != "" && req.ChannelID != mid.ChannelID:
		case len(mid.Currencies) > 0 && !slices.Contains(mid.Currencies, req.Order.Currency):
		case !slices.Contains(operations(mid), req.Operation):
		default:
			if req.MerchantKey == m.TestKey {
				mid.Connector = SandboxConnector
			}
			fit = append(fit, mid)
		}
	}
	return fit
}

func operations(mid MID) []string {
	if len(mid.Operations) == 0 {
		return []string{"purchase"}
	}
	return mid.Operations
}

// allowed answers the methods of a MID that a request names, or all if it names none.
func allowed(methods, named []string) []string {
	if len(named) == 0 {
		return methods
	}
	return slices.DeleteFunc(slices.Clone(methods), func(m string) bool { return !slices.Contains(named, m) })
}

// methods answers what the payer can choose from, each method once.
func (r route) methods() []string {
	var all []string
	for _, mid := range r.mids {
		for _, m := range mid.Methods {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// mid answers the first MID that takes the method.
func (r route) mid(method string) (MID, bool) {
	for _, mid := range r.mids {
		if slices.Contains(mid.Methods, method) {
			return mid, true
		}
	}
	return MID{}, false
}

// mappingNamed answers the merchant's mapping of that name, or one with default settings if it was removed.
func (m *Merchant) mappingNamed(name string) *Mapping {
	for i := range m.Mappings {
		if m.Mappings[i].Name == name {
			return &m.Mappings[i]
		}
	}
	return &Mapping{Name: name}
}

func (m *Mapping) maxDeclines() int {
	if m.MaxDeclines == 0 {
		return DefaultMaxDeclines
	}
	return m.MaxDeclines
}
