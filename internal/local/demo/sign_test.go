package demo

import (
	"strings"
	"testing"
)

// signedText is what the playground shows of a request's hash.
func signedText(t *testing.T, shop *Shop, request string) (steps []string, r signed) {
	t.Helper()
	parsed, err := parseTree(request)
	if err != nil {
		t.Fatal(err)
	}
	r = shop.sign(parsed, false)
	for _, s := range r.steps {
		steps = append(steps, strings.Join(s.Parts, "|"))
	}
	return steps, r
}

func TestHashSteps(t *testing.T) {
	shop := newShop(t, "abc123Pass")
	// The hashes were computed with openssl.
	steps, r := signedText(t, shop, `{"order":{"number":"order-1234","amount":100.50,"currency":"USD",`+
		`"description":"Çay é"},"hash":"{hash}"}`)
	want := []string{
		"order-1234|100.50|USD|Çay é|" + mask, "ORDER-1234|100.50|USD|ÇAY é|" + mask,
		"edbe5c702d8f45ab64da2cf0a189ba3c", "04e7481b5cee04204b24707bca8458ce7b37501f",
	}
	if strings.Join(steps, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", steps)
	}
	body, err := r.body.MarshalJSON()
	if err != nil || !strings.HasSuffix(string(body), `"hash":"`+steps[3]+`"}`) || r.own != "" {
		t.Errorf("%s %v %q", body, err, r.own)
	}
}

func TestHashOfWhatIsLeftOut(t *testing.T) {
	shop := newShop(t, "abc123Pass")
	shop.config.SHA256 = true
	// The amount is not sent, the hash is the request's own. The hashes were computed with openssl.
	steps, r := signedText(t, shop, `{"hash":"own","order":{"number":"order-1","amount":null,"currency":"USD",`+
		`"description":"x y"}}`)
	want := "2899b11d721454af7b7b94bd726dc1bf2c760c3d13e9fa733344f1fd36e9a277\n912053c4f69dbe46ba13870d549a02e687922592"
	if strings.Join(steps[2:], "\n") != want || r.own != "own" {
		t.Errorf("%q, %q", steps, r.own)
	}
}

// A request that is no object of objects is signed as far as it goes, without an error.
func TestRequestsThatAreNone(t *testing.T) {
	shop := newShop(t, "p")
	for _, text := range []string{
		`{}`, `{"order":[]}`, `{"order":{"number":{"a":1}},"hash":[1]}`, `[]`, `"{order}"`, `null`,
	} {
		parsed, err := parseTree(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		shop.sign(parsed, true)
		shop.config.snippets(parsed)
	}
	for text, line := range map[string]string{
		"": "line 1", "{\n\"a\": 1,\n}": "line 3", "{\"a\" 1}": "line 1", "{}\n{}": "line 2", "{\"a\":[1,\n2": "line 2",
		"{\n\"a\": tru\n}": "line 2", "{1: 2}": "line 1",
	} {
		if _, err := parseTree(text); err == nil || !strings.HasPrefix(err.Error(), line+" is no JSON") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A tree writes what it has read, in the same order.
func TestTreeKeepsOrder(t *testing.T) {
	const text = `{"z":1.50,"a":[true,false,null,{}],"é<&>":"\u2028\n","b":{"y":"","x":[]}}`
	parsed, err := parseTree(text)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := parsed.MarshalJSON(); err != nil || string(again) != text {
		t.Errorf("%s %v", again, err)
	}
}
