package tokens

import (
	"testing"

	"checkout/internal/method"
	"checkout/internal/wallet/token"
)

// A provider's own token is one token, however its JSON is written; what is no JSON is taken as it is.
func TestProviderTokens(t *testing.T) {
	opens := func(text string) token.Opened {
		t.Helper()
		opened, err := (&Opener{}).OpenToken(t.Context(), token.Token{
			Kind: method.GooglePay, Token: text, Provider: true,
		})
		if err != nil || opened.ID == "" || opened.Token == "" {
			t.Errorf("%s: %+v, %v", text, opened, err)
		}
		return opened
	}
	first := opens(`{"id":"tok_1<&>","n":[1.50,{"b":1,"a":null}]}`)
	for _, same := range []string{
		` {"id" : "tok_1<&>", "n": [1.50, {"b":1,"a":null}]}` + "\r\n\t",
		`{"n":[1.50,{"a":null,"b":1}],"id":"tok_1<&>"}`,
		`{"\u0069d":"tok\u005f1\u003c\u0026>","n":[1.50,{"b":1,"a":null}]}`,
	} {
		if got := opens(same); got.ID != first.ID || got.Token != first.Token {
			t.Errorf("%s is %+v, not %+v", same, got, first)
		}
	}
	for _, other := range []string{
		`{"id":"tok_2<&>","n":[1.50,{"b":1,"a":null}]}`, `{"id":"tok_1<&>","n":[1.5,{"b":1,"a":null}]}`,
		`{"id":"tok_1<&>","n":[{"b":1,"a":null},1.50]}`, `{"id":"tok_1 <&>","n":[1.50,{"b":1,"a":null}]}`,
	} {
		if got := opens(other); got.ID == first.ID {
			t.Errorf("%s is the first token", other)
		}
	}
	for _, text := range []string{"tok_1", `{"id":1}{}`, `{"id":`, " tok_1"} {
		if got := opens(text); got.Token != text {
			t.Errorf("%q became %q", text, got.Token)
		}
	}
}
