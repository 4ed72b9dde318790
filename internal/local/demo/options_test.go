package demo_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"checkout/internal/page/screen"
)

// TestEveryOption buys with each value of each list of the shop's form, and with every box ticked: the service refuses
// nothing that the shop offers.
func TestEveryOption(t *testing.T) {
	server := start(t)
	_, shop := request(t, http.MethodGet, server.URL+"/demo", nil)
	options, _, _ := strings.Cut(shop, "</form>")
	choices := []url.Values{{}, {"key": {"live"}}}
	for _, list := range regexp.MustCompile(`(?s)<select name="(\w+)">(.*?)</select>`).FindAllStringSubmatch(options, -1) {
		for _, value := range regexp.MustCompile(`<option value="([^"]*)"`).FindAllStringSubmatch(list[2], -1) {
			choices = append(choices, url.Values{list[1]: {value[1]}})
		}
	}
	for _, box := range regexp.MustCompile(`type="checkbox" name="(\w+)"`).FindAllStringSubmatch(options, -1) {
		choices = append(choices, url.Values{box[1]: {"yes"}})
	}
	if len(choices) < 80 {
		t.Fatalf("only %d choices in\n%s", len(choices), options)
	}
	for _, choice := range choices {
		if !choice.Has("customer") {
			choice.Set("customer", "yes")
		}
		bought, body := request(t, http.MethodPost, server.URL+"/demo/buy", choice)
		to := bought.Header.Get("Location")
		if choice.Has("frame") {
			_, body := request(t, http.MethodGet, server.URL+to, nil)
			to = regexp.MustCompile(`src="(http[^"]*)"`).FindStringSubmatch(body)[1]
		}
		session, ok := strings.CutPrefix(to, server.URL+"/?session=")
		session, _, _ = strings.Cut(session, "&")
		if !ok {
			t.Errorf("%v: %s\n%s", choice, bought.Status, problem(body))
			continue
		}
		_, body = request(t, http.MethodGet, server.URL+"/page/v1/"+session, nil)
		var shown screen.Screen
		if err := json.Unmarshal([]byte(body), &shown); err != nil || shown.Kind != screen.KindForm {
			t.Errorf("%v: %v %s", choice, err, body)
		}
		if want := choice.Get("language"); want != "" && shown.Language != want {
			t.Errorf("%v: the page speaks %q", choice, shown.Language)
		}
		if want := choice.Get("operation"); want != "" && string(shown.Operation) != want {
			t.Errorf("%v: the page is of %q", choice, shown.Operation)
		}
	}
}
