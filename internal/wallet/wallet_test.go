package wallet

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/money"
	"checkout/internal/wallet/testwallet"
)

var update = flag.Bool("update", false, "write the tokens of testdata")

// sentAt is when the payers of the tests confirm and send.
var sentAt = time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC)

const session = "0f8fad5b-d9cb-469f-a165-70867728950e"

func content() testwallet.Content {
	return testwallet.Content{
		ID: "1", At: sentAt, Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038,
		Amount: "1050", Currency: "840", SessionID: session,
	}
}

func amount(t testing.TB, text, code string) money.Amount {
	t.Helper()
	currency, _ := money.Find(code)
	a, err := money.Parse(text, currency)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func appleCheck(t testing.TB) Check {
	return Check{At: sentAt, SessionID: session, Amount: amount(t, "10.50", "USD")}
}

func googleCheck() Check {
	return Check{
		At: sentAt, Recipients: []string{"gateway:sandbox", testwallet.Recipient},
		AuthMethods: []string{PANOnly, Cryptogram3DS},
	}
}

func sandboxApple() Apple { return Apple{Root: testwallet.AppleRoot()} }

func sandboxGoogle() Google {
	return Google{Roots: []RootKey{{Key: testwallet.GoogleRoot(), Until: sentAt.AddDate(1, 0, 0)}}}
}

func processingKey(t testing.TB) ProcessingKey {
	t.Helper()
	key, err := ParseProcessingKey(testwallet.ProcessingCertificate(), testwallet.ProcessingKey())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func recipientKey(t testing.TB) PrivateKey {
	t.Helper()
	key, err := ParsePrivateKey(testwallet.RecipientKey())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newToken(t testing.TB, kind testwallet.Kind, c testwallet.Content, fault testwallet.Fault) string {
	t.Helper()
	token, err := testwallet.Make(kind, c, fault)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// open opens a token of either wallet as the tests have it, checked by a payment.
func open(t testing.TB, kind testwallet.Kind, token string, check Check) (Opened, error) {
	t.Helper()
	var opened Opened
	var err error
	if kind == testwallet.ApplePay {
		opened, err = sandboxApple().Open(token, []ProcessingKey{processingKey(t)}, check)
	} else {
		opened, err = sandboxGoogle().Open(token, []PrivateKey{recipientKey(t)}, check)
	}
	expectQuiet(t, opened, err, token)
	return opened, err
}

// expectQuiet checks that an error comes with nothing and tells nothing.
func expectQuiet(t testing.TB, opened Opened, err error, token string) {
	t.Helper()
	if err == nil {
		return
	}
	if opened != (Opened{}) {
		t.Errorf("%v, and yet something was opened", err)
	}
	for i := 0; i+10 <= len(token); i++ {
		if strings.Contains(err.Error(), token[i:i+10]) {
			t.Errorf("%v has a part of the token", err)
			return
		}
	}
	if strings.Contains(err.Error(), "411111") {
		t.Errorf("%v has a part of the card", err)
	}
}

func expect(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) || want == nil && err != nil {
		t.Errorf("%v, not %v", err, want)
	}
}

// The tokens of testdata have the published format, whatever this test's maker makes some day.
func TestTokensOfTestdata(t *testing.T) {
	oneTime := func(*testwallet.Content) {}
	recurring := func(c *testwallet.Content) { c.Recurring = true }
	panOnly := func(c *testwallet.Content) { c.PANOnly = true }
	for _, test := range []struct {
		kind    testwallet.Kind
		content func(*testwallet.Content)
		file    string
		check   Check
		want    Opened
	}{
		{testwallet.ApplePay, recurring, "applepay.json", appleCheck(t), Opened{
			Verified: Verified{
				ID: "2bb0d4a462376ee76d326b83937d5b8128768ada2230c295c09b22b54e37672a", SignedAt: sentAt,
			},
			Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038,
			Cryptogram: "9QRiG5ehaNLq4KvIukP9gUDQ/+8=", ECI: "05",
			PANType: DPAN, AuthMethod: ThreeDSecure, Device: "040010030273", MerchantTokenID: "MPAN-f504621b97a168d2",
		}},
		{testwallet.GooglePay, oneTime, "googlepay.json", googleCheck(), Opened{
			Verified: Verified{
				ID: "c785551b78e8121e0e6ff22b61e099b29d4b8434bc038b2a8e928f7b34c49afa", Until: sentAt.AddDate(0, 0, 6),
			},
			Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038,
			Cryptogram: "9QRiG5ehaNLq4KvIukP9gUDQ/+8=", ECI: "05",
			PANType: DPAN, AuthMethod: Cryptogram3DS,
		}},
		{testwallet.GooglePay, panOnly, "googlepay_pan.json", googleCheck(), Opened{
			Verified: Verified{
				ID: "c785551b78e8121e0e6ff22b61e099b29d4b8434bc038b2a8e928f7b34c49afa", Until: sentAt.AddDate(0, 0, 6),
			},
			Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038,
			PANType: FPAN, AuthMethod: PANOnly,
		}},
	} {
		c := content()
		test.content(&c)
		made := newToken(t, test.kind, c, "")
		name := "testdata/" + test.file
		if *update {
			if err := os.WriteFile(name, []byte(made+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(stored) != made+"\n" {
			t.Errorf("%s is not what is made today", name)
		}
		opened, err := open(t, test.kind, string(stored), test.check)
		if passed, made := objectOf(t, opened.Token), objectOf(t, made); !reflect.DeepEqual(passed, made) {
			t.Errorf("%s: %v is passed on, not %v", name, passed, made)
		}
		test.want.Token = opened.Token
		if err != nil || opened != test.want {
			t.Errorf("%s: %+v, %v", name, opened, err)
		}
	}
}

// objectOf reads a JSON object.
func objectOf(t testing.TB, text string) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// However a token is written, and whatever is sent with it, providers get the same text.
func TestWhatIsPassedOn(t *testing.T) {
	for kind, nested := range map[testwallet.Kind]string{
		testwallet.ApplePay: "header", testwallet.GooglePay: "intermediateSigningKey",
	} {
		check, verify := appleCheck(t), sandboxApple().Verify
		if kind == testwallet.GooglePay {
			check, verify = googleCheck(), sandboxGoogle().Verify
		}
		token := newToken(t, kind, content(), "")
		want, err := verify(token, check)
		if err != nil || want.Token == "" {
			t.Fatalf("%s: %+v, %v", kind, want, err)
		}
		more := objectOf(t, token)
		more["Signature"], more["number"], more["list"] = "other", 1, []any{map[string]any{"a": "b"}}
		more[nested].(map[string]any)["extra"] = "x"
		text, err := json.MarshalIndent(more, " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		same := []string{string(text), " " + token + "\n"}
		if kind == testwallet.ApplePay {
			same = append(same, `{"transactionIdentifier": "A", "extra": 1, "paymentData": `+string(text)+`}`)
		}
		for _, text := range same {
			if got, err := verify(text, check); err != nil || got != want {
				t.Errorf("%s: %+v, %v", kind, got, err)
			}
			if opened, err := open(t, kind, text, check); err != nil || opened.Token != want.Token {
				t.Errorf("%s: opened %s, %v", kind, opened.Token, err)
			}
		}
	}
}

// Each fault that the sandbox offers is found, by its own error, also without the keys where it shows without them.
func TestFaultsOfTheSandbox(t *testing.T) {
	tested := map[testwallet.Kind][]testwallet.Fault{}
	for _, test := range []struct {
		kind     testwallet.Kind
		fault    testwallet.Fault
		opened   error
		verified error
	}{
		{testwallet.ApplePay, "", nil, nil},
		{testwallet.ApplePay, testwallet.Expired, ErrSigningTime, ErrSigningTime},
		{testwallet.ApplePay, testwallet.BadSignature, ErrSignature, ErrSignature},
		{testwallet.ApplePay, testwallet.OtherRoot, ErrChain, ErrChain},
		{testwallet.ApplePay, testwallet.UnknownKey, ErrUnknownKey, nil},
		{testwallet.ApplePay, testwallet.AmountChanged, ErrAmount, nil},
		{testwallet.ApplePay, testwallet.OtherSession, ErrSession, ErrSession},
		{testwallet.ApplePay, testwallet.Used, nil, nil},
		{testwallet.GooglePay, "", nil, nil},
		{testwallet.GooglePay, testwallet.Expired, ErrExpired, nil},
		{testwallet.GooglePay, testwallet.BadSignature, ErrSignature, ErrSignature},
		{testwallet.GooglePay, testwallet.OtherRoot, ErrChain, ErrChain},
		{testwallet.GooglePay, testwallet.UnknownKey, ErrDecrypt, nil},
		{testwallet.GooglePay, testwallet.OtherRecipient, ErrRecipient, ErrRecipient},
		{testwallet.GooglePay, testwallet.Used, nil, nil},
	} {
		tested[test.kind] = append(tested[test.kind], test.fault)
		t.Run(string(test.kind)+" "+string(test.fault), func(t *testing.T) {
			token := newToken(t, test.kind, content(), test.fault)
			check, verify := appleCheck(t), sandboxApple().Verify
			if test.kind == testwallet.GooglePay {
				check, verify = googleCheck(), sandboxGoogle().Verify
			}
			_, err := open(t, test.kind, token, check)
			expect(t, err, test.opened)
			verified, err := verify(token, check)
			expect(t, err, test.verified)
			if (verified.ID == "") != (err != nil) {
				t.Errorf("the id is %q", verified.ID)
			}
		})
	}
	for kind, faults := range tested {
		want := append(testwallet.Faults(kind), "")
		slices.Sort(faults)
		slices.Sort(want)
		if !slices.Equal(faults, want) {
			t.Errorf("of %s, %v are tested, not %v", kind, faults, want)
		}
	}
}

// What is used once differs by token, not by how it is written or by what was bought.
func TestIDs(t *testing.T) {
	for _, kind := range []testwallet.Kind{testwallet.ApplePay, testwallet.GooglePay} {
		check := googleCheck()
		if kind == testwallet.ApplePay {
			check = appleCheck(t)
		}
		other, later := content(), content()
		other.ID, later.At = "2", sentAt.Add(time.Second)
		id := func(c testwallet.Content, fault testwallet.Fault) string {
			opened, err := open(t, kind, newToken(t, kind, c, fault), check)
			if err != nil || len(opened.ID) != 64 {
				t.Errorf("%q, %v", opened.ID, err)
			}
			return opened.ID
		}
		if id(content(), "") != id(later, "") || id(content(), "") == id(other, "") {
			t.Errorf("%s: the id is not that of the token", kind)
		}
		used := id(content(), testwallet.Used)
		if used != id(other, testwallet.Used) || used == id(content(), "") {
			t.Errorf("%s: a used token has another id", kind)
		}
	}
}

// A token of one root is no token of another: live payments don't accept the sandbox's.
func TestTokensOfTheSandboxAreNotLive(t *testing.T) {
	token := newToken(t, testwallet.ApplePay, content(), "")
	_, err := Apple{Root: AppleRoot()}.Open(token, []ProcessingKey{processingKey(t)}, appleCheck(t))
	expect(t, err, ErrChain)
	_, err = Apple{}.Verify(token, appleCheck(t))
	expect(t, err, ErrNoRoot)
	_, err = Google{}.Verify(newToken(t, testwallet.GooglePay, content(), ""), googleCheck())
	expect(t, err, ErrNoRoot)
}

func TestRootOfApple(t *testing.T) {
	root := AppleRoot()
	const fingerprint = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
	err := root.CheckSignature(root.SignatureAlgorithm, root.RawTBSCertificate, root.Signature)
	if hashOf(root.Raw) != fingerprint || err != nil {
		t.Errorf("%s is not Apple Root CA - G3: %v", root.Subject, err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	if _, err := root.Verify(x509.VerifyOptions{Roots: pool, CurrentTime: sentAt}); err != nil || !root.IsCA {
		t.Error(err)
	}
}
