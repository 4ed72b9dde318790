package form

import (
	"checkout/internal/method"
	"checkout/internal/reason"
	"checkout/internal/request"
)

// SealedParameters returns those of the unsealed values that are parameters of the payment's method, or a reason to
// decline if they break the rules that parameters sent by a merchant have to follow, too.
func SealedParameters(
	name string, req *request.Session, unsealed map[string]string,
) (map[string]string, reason.Code) {
	m, _ := method.Find(name)
	typed := map[string]string{}
	for _, f := range m.PageFields(req.Operation, nil) {
		sent := req.SentParameter(m.ID, f.ID) != ""
		if !f.Sealed || f.Place != method.InParameters || sent {
			continue
		}
		value := f.Normalize(unsealed[f.ID])
		switch {
		case value == "" && f.Optional:
		case value == "" || !f.Offers(value, ""):
			return nil, reason.ValueInvalid
		default:
			typed[f.ID] = value
		}
	}
	if _, faults := request.JoinParameters(m, req, typed); len(faults) > 0 {
		return nil, reason.ValueInvalid
	}
	if len(typed) == 0 {
		return nil, ""
	}
	return typed, ""
}
