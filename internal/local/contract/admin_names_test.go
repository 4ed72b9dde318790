package contract

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"checkout/internal/api"
	"checkout/internal/audit"
	"checkout/internal/operator"
	"checkout/internal/operator/blocks"
	"checkout/internal/operator/chains"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/query"
	"checkout/internal/operator/uses"
	"checkout/internal/operator/words"
)

// The document has each route of the admin API with its right, its parameters and the members of its body.
func TestAdminRoutesAreDocumented(t *testing.T) {
	d := readAdmin(t)
	for _, route := range api.Admin(&api.Services{}) {
		name, rule := route.Method+" "+route.Path, route.Rule()
		verb := strings.ToLower(route.Method)
		of := d.object("paths", route.Path, verb)
		if rule.Right == "" || of["x-right"] != string(rule.Right) {
			t.Errorf("%s needs the right %q, documented is %v", name, rule.Right, of["x-right"])
		}
		var parameters, required []string
		list, _ := of["parameters"].([]any)
		for _, item := range list {
			object, _ := asObject(item)
			p := d.resolve(object)
			called := p["name"].(string)
			if p["in"] == "query" {
				parameters = append(parameters, called)
			}
			if p["required"] == true {
				required = append(required, called)
			}
			if p["in"] == "path" && !strings.Contains(route.Path, "{"+called+"}") {
				t.Errorf("%s has no %s", name, called)
			}
		}
		same(t, name+", parameters", parameters, rule.Parameters)
		if slices.Contains(required, "Idempotency-Key") != (rule.Right == grant.Money) {
			t.Errorf("%s requires %q", name, required)
		}
		schema := d.object("paths", route.Path, verb, "requestBody", "content", "application/json", "schema")
		same(t, name+", members", names(d.properties(schema)), rule.Members)
		same(t, name+", required members", texts(schema["required"]), rule.Required)
	}
}

// The schemas of what the admin API sends are the types of the service.
func TestAdminResponsesAreTheServices(t *testing.T) {
	d, seen := readAdmin(t), map[string]bool{}
	for _, of := range []reflect.Type{
		reflect.TypeFor[words.Description](), reflect.TypeFor[query.Found](), reflect.TypeFor[query.Listing](),
		reflect.TypeFor[query.View](), reflect.TypeFor[listing.Totals](), reflect.TypeFor[listing.Line](),
		reflect.TypeFor[query.UnderWay](), reflect.TypeFor[query.WaitingRequest](),
		reflect.TypeFor[query.Deliveries](), reflect.TypeFor[query.Address](), reflect.TypeFor[query.Merchant](),
		reflect.TypeFor[operator.Done](), reflect.TypeFor[operator.BulkSent](), reflect.TypeFor[grant.Grant](),
		reflect.TypeFor[audit.Page](), reflect.TypeFor[operator.VerifiedAudit](), reflect.TypeFor[operator.Session](),
		reflect.TypeFor[uses.Uses](), reflect.TypeFor[chains.Chain](), reflect.TypeFor[chains.ChainList](),
		reflect.TypeFor[operator.ChainDone](), reflect.TypeFor[blocks.BlockList](),
	} {
		compareType(t, d, of, seen)
	}
	if len(seen) != 50 {
		t.Errorf("%d types were compared: %v", len(seen), names(seen))
	}
}
