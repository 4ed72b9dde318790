package form

import (
	"maps"
	"slices"
	"testing"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// Each page field stores its value in a place of its own.
func TestEveryPlaceIsStored(t *testing.T) {
	var v Values
	stored := map[*string]method.Place{}
	for _, f := range method.PageFields {
		at := places[f.Place]
		if f.Place == method.InSealedCard || f.Place == method.InParameters {
			if (f.Place == method.InSealedCard) != f.Sealed || at != nil {
				t.Errorf("%s goes to %s", f.ID, f.Place)
			}
			continue
		}
		if at == nil || f.Sealed {
			t.Errorf("%s is not stored: places of form.go lacks %q, or the field is sealed", f.ID, f.Place)
			continue
		}
		if other := stored[at(&v)]; other != "" {
			t.Errorf("%s and %s are stored in the same place", other, f.Place)
		}
		stored[at(&v)] = f.Place
	}
	if len(stored) != len(places) {
		t.Errorf("%d places for %d of the page", len(places), len(stored))
	}
}

// The page asks for a parameter unless the request, every MID of the method or the billing country makes that needless.
func TestParametersThatThePageAsksFor(t *testing.T) {
	preset := map[string]map[string]string{"local_transfer": {"type_document": "CPF"}}
	with := settings.MID{Name: "a", Methods: []string{"local_transfer", "regional_bank"}, Presets: preset}
	without := settings.MID{Name: "b", Methods: []string{"local_transfer"}}
	for _, test := range []struct {
		mids                []settings.MID
		method, country, id string
		asked, optional     bool
	}{
		{[]settings.MID{without}, "local_transfer", "BR", "type_document", true, true},
		{[]settings.MID{with, without}, "local_transfer", "BR", "type_document", true, true},
		{[]settings.MID{with}, "local_transfer", "BR", "type_document", false, false},
		{[]settings.MID{with}, "regional_bank", "AR", "document_number", true, false},
		{[]settings.MID{with}, "regional_bank", "", "document_number", true, true},
		{[]settings.MID{with}, "regional_bank", "GT", "document_number", false, false},
	} {
		req := &request.Session{Details: request.Details{Operation: method.Purchase}}
		req.BillingAddress.Country = test.country
		fields := Fields(routing.Route{MIDs: test.mids}, test.method, req)
		i := slices.IndexFunc(fields, func(f method.PageField) bool { return f.ID == test.id })
		if asked := i >= 0; asked != test.asked || asked && fields[i].Optional != test.optional {
			t.Errorf("%s of %s in %q: %v", test.id, test.method, test.country, fields)
		}
	}
}

// A country that the payer enters decides whether a parameter is needed.
func TestParametersByThePayersCountry(t *testing.T) {
	req := &request.Session{Details: request.Details{Operation: method.Purchase}}
	route := routing.Route{
		MIDs: []settings.MID{{Methods: []string{"regional_bank"}}}, Required: []string{method.PayerCountry},
	}
	for country, fails := range map[string]bool{"GT": false, "AR": true} {
		fields := map[string]string{method.PayerCountry: country}
		_, err := FillIn(Fields(route, "regional_bank", req), req, Request{Method: "regional_bank", Fields: fields})
		if (err != nil) != fails {
			t.Errorf("%s: %v", country, err)
		}
	}
}

// A custom form also orders and labels the parameters that a method asks for.
func TestCustomFormOfParameters(t *testing.T) {
	label := map[string]string{"es": "Documento del socio"}
	route := routing.Route{
		MIDs:     []settings.MID{{Name: "a", Methods: []string{"regional_bank"}}},
		Required: []string{"payer_email"},
		Form: settings.Form{
			Order: []string{"payer_email", "document_number"}, Labels: map[string]map[string]string{"document_number": label},
		},
	}
	req := &request.Session{Details: request.Details{Operation: method.Purchase}}
	fields := Method(route, "regional_bank", req, nil).Fields
	if len(fields) < 3 || fields[0].ID != "payer_email" || fields[1].ID != "document_number" || fields[2].Ordered ||
		!fields[1].Ordered || !maps.Equal(fields[1].LabelTexts, label) {
		t.Errorf("fields %+v", fields)
	}
}
