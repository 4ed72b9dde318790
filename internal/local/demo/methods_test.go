package demo_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/local"
	"checkout/internal/page/screen"
)

// offered reads the catalogue's methods that the sample merchant has.
func offered(t *testing.T, server *local.Server) (ids []string) {
	t.Helper()
	text, err := os.ReadFile("../../../infra/methods.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		ID      string
		Offered bool
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.Offered && slices.Contains(server.Demo.Methods, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) < 40 {
		t.Fatalf("only %d methods", len(ids))
	}
	return ids
}

// TestEveryMethod buys with the button of each method: the page is ready to pay with it alone, and no parameter is
// missing. It does so with all values sent, and with those left out that the page asks for.
func TestEveryMethod(t *testing.T) {
	server := start(t)
	_, shop := request(t, http.MethodGet, server.URL+"/demo", nil)
	for _, id := range offered(t, server) {
		if !strings.Contains(shop, `<button name="method" value="`+id+`">`) {
			t.Errorf("the shop has no button for %s", id)
		}
		for _, ask := range []bool{false, true} {
			choice := url.Values{"customer": {"yes"}, "method": {id}}
			if ask {
				choice.Set("ask", "yes")
			}
			checkMethod(t, server.URL, id, choice)
		}
	}
}

func checkMethod(t *testing.T, base, id string, choice url.Values) {
	t.Helper()
	bought, body := request(t, http.MethodPost, base+"/demo/buy", choice)
	session, ok := strings.CutPrefix(bought.Header.Get("Location"), base+"/?session=")
	if !ok {
		t.Errorf("%v: %s\n%s", choice, bought.Status, problem(body))
		return
	}
	_, body = request(t, http.MethodGet, base+"/page/v1/"+session, nil)
	var shown screen.Screen
	if err := json.Unmarshal([]byte(body), &shown); err != nil || shown.Kind != screen.KindForm ||
		len(shown.Methods) != 1 || shown.Methods[0].ID != id {
		t.Errorf("%v: the page shows %s", choice, body)
		return
	}
	for _, field := range shown.Methods[0].Fields {
		if !choice.Has("ask") && field.Required && !fieldOfPayer(field.ID) {
			t.Errorf("%s: the page still asks for %s", id, field.ID)
		}
	}
	_, page := request(t, http.MethodGet, base+"/demo/playground?"+choice.Encode(), nil)
	text := regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`).FindStringSubmatch(page)
	_, page = request(t, http.MethodPost, base+"/demo/playground",
		url.Values{"request": {html.UnescapeString(text[1])}, "action": {"explain"}})
	if !strings.Contains(page, `id="complete"`) || strings.Contains(page, "are needed by some only") {
		t.Errorf("%v: explained as\n%s", choice, page)
	}
}

// fieldOfPayer reports whether a field is the payer's alone: a card, or a code that was sent to them.
func fieldOfPayer(id string) bool {
	return slices.Contains([]string{"payer_card", "payer_expiryDate", "payer_cvv", "payee_card", "pin"}, id)
}

// problem returns the part of the shop's page that says what the service refused.
func problem(page string) string {
	return regexp.MustCompile(`(?s)<section class="problem".*?</section>`).FindString(page)
}
