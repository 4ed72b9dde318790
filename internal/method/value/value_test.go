package value

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// check is a check by its name, with a good value.
type check struct {
	name string
	read func(text string) (string, bool)
	good string
}

// grouped are checks of values that people write in groups.
var grouped = []check{
	{"IBAN", IBAN, "GB29NWBK60161331926819"}, {"BIC", BIC, "DEUTDEFF500"}, {"IFSC", IFSC, "HDFC0000001"},
	{"BLZ", BLZ, "37040044"}, {"CPF", CPF, "52998224725"}, {"CNPJ", CNPJ, "12ABC34501DE35"}, {"CUIT", CUIT, "20267565393"},
	{"RUT", RUT, "10000013K"}, {"CI UY", CIUruguay, "12345672"}, {"CI EC", CIEcuador, "1714307103"},
	{"RUC", RUC, "20512333797"}, {"NIT", NIT, "2131234321"}, {"CLABE", CLABE, "032180000118359719"},
	{"CBU", CBU, "2850590940090418135201"}, {"ABA", ABA, "111000025"}, {"CURP", CURP, "HEGG560427MVZRRL04"},
	{"RFC", RFC, "MAB9307148T4"}, {"masked", MaskedPAN, "411111******1111"}, {"MSISDN", MSISDN, "+442071838750"},
	{"Benin", BeninOrTogo, "+2290197000000"}, {"digits", Digits(4, 6), "1234"}, {"letters", Alphanumeric(1, 35), "A1"},
}

// whole are checks of values that nobody writes in groups.
var whole = []check{
	{"alias", CBUAlias, "mi.cuenta.sueldo"}, {"roll number", RollNumber, "D/00012345-6"}, {"UPI", UPI, "name@upi"},
	{"UUID", UUID, "123e4567-e12b-12d1-a456-426655440000"}, {"BTC", BTC, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"},
	{"BCH", BCH, "ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"}, {"ETH", ETH, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"},
	{"TRON", TRON, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"},
	{"Solana", Solana, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"},
	{"coin", CoinAddress, "r1"}, {"UTC", UTC, "2019-08-24T14:15:22Z"}, {"base-64", Base64(5), "SGVsbG8="},
	{"no spaces", NoSpaces(3, 25), "abc"},
}

// Any text may come. What providers get of a good one is good itself, and stays as it is.
func TestPlainStaysPlain(t *testing.T) {
	for _, c := range append(whole, grouped...) {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := rapid.OneOf(rapid.Just(c.good), rapid.String(), rapid.StringMatching(`[0-9A-Za-z+.@/ -]{0,40}`),
					rapid.Map(rapid.IntRange(0, len(c.good)), func(n int) string { return c.good[:n] })).Draw(t, "text")
				plain, ok := c.read(text)
				if text == c.good && (!ok || plain != c.good) {
					t.Fatalf("%q is %q, good: %t", text, plain, ok)
				}
				if again, good := c.read(plain); ok && (!good || again != plain) {
					t.Fatalf("%q is plain, but %q, good: %t", plain, again, good)
				}
			})
		})
	}
}

func TestPunctuationBetweenGroups(t *testing.T) {
	for _, c := range grouped {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				written := c.good
				for range rapid.IntRange(1, 5).Draw(t, "groups") {
					at := rapid.IntRange(0, len(written)).Draw(t, "at")
					written = insert(written, at, rapid.SampledFrom([]string{" ", ".", "-", "/"}).Draw(t, "between"))
				}
				if plain, ok := c.read(strings.ToLower(written)); !ok || plain != c.good {
					t.Fatalf("%q is %q, good: %t", written, plain, ok)
				}
			})
		})
	}
}

func insert(text string, at int, between string) string { return text[:at] + between + text[at:] }

// The rules of these numbers find every single wrong character.
func TestEverySingleWrongCharacter(t *testing.T) {
	const digits, letters = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, test := range []struct {
		check
		others string
	}{
		{check{"IBAN", IBAN, "GB29NWBK60161331926819"}, digits},
		{check{"IBAN", IBAN, "BR1800360305000010009795493C1"}, letters},
		{check{"RUT", RUT, "125319092"}, digits + "K"},
		{check{"RUT", RUT, "10000013K"}, digits},
		{check{"CI EC", CIEcuador, "1714307103"}, digits},
		{check{"CLABE", CLABE, "032180000118359719"}, digits},
		{check{"CBU", CBU, "2850590940090418135201"}, digits},
		{check{"ABA", ABA, "021000021"}, digits},
		{check{"bech32", BTC, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}, cashLetters},
		{check{"bech32m", BTC, "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"}, cashLetters},
		{check{"cash", BCH, "ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"}, cashLetters},
		{check{"base58check", BTC, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"}, digits + letters},
		{check{"TRON", TRON, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"}, digits + letters},
	} {
		if _, ok := test.read(test.good); !ok {
			t.Errorf("%s rejects %s", test.name, test.good)
		}
		for i := range len(test.good) {
			for _, c := range test.others {
				wrong := test.good[:i] + string(c) + test.good[i+1:]
				sameKind := isDigit(test.good[i]) == isDigit(byte(c)) || strings.ContainsRune(test.name, '5') ||
					test.others == cashLetters || test.name == "RUT"
				if _, ok := test.read(wrong); ok && sameKind && wrong != test.good {
					t.Errorf("%s accepts %s for %s", test.name, wrong, test.good)
				}
			}
		}
	}
}

// Of all last characters at most one is right, and one is unless the rule excludes it.
func TestOneCheckDigit(t *testing.T) {
	for name, test := range map[string]struct {
		number
		body string
	}{
		"CUIT": {cuit, `20[0-9]{8}`}, "RUT": {rut, `[1-9][0-9]{7}`}, "CI UY": {ciUruguay, `[1-9][0-9]{6}`},
		"CI EC": {ciEcuador, `17[0-9]{7}`}, "RUC": {ruc, `20[0-9]{8}`}, "NIT": {nit, `[1-9][0-9]{4,14}`},
		"CLABE": {clabe, `[1-9][0-9]{16}`}, "ABA": {aba, `02[1-9][0-9]{5}`},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				body, right := rapid.StringMatching(test.body).Draw(t, "body"), 0
				for _, c := range "0123456789K" {
					if _, ok := test.check(body + string(c)); ok {
						right++
					}
				}
				if right != 1 {
					t.Fatalf("%d last characters are right", right)
				}
			})
		})
	}
}

// Another check digit is wrong.
func TestOtherCheckDigits(t *testing.T) {
	for _, test := range []struct {
		number
		good string
	}{
		{cpf, "52998224725"}, {cpf, "39053344705"}, {cnpj, "11222333000181"}, {cnpj, "12ABC34501DE35"},
		{cuit, "20267565393"}, {ruc, "20512333797"}, {nit, "2131234321"}, {ciUruguay, "12345672"},
	} {
		for i := range test.sums {
			at := len(test.good) - 1 - i
			for c := '0'; c <= '9'; c++ {
				wrong := test.good[:at] + string(c) + test.good[at+1:]
				if _, ok := test.check(wrong); ok != (wrong == test.good) {
					t.Errorf("%s: %t", wrong, ok)
				}
			}
		}
	}
}

// Letters of an Ethereum address in both cases are right in one way only.
func TestMixedCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		good := mixed(rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "address"))
		if _, ok := ETH("0x" + good); !ok {
			t.Fatalf("%s is rejected", good)
		}
		at := rapid.IntRange(0, 39).Draw(t, "at")
		if !isLetter(good[at]) {
			return
		}
		wrong := good[:at] + string(good[at]^0x20) + good[at+1:]
		oneCase := wrong == strings.ToLower(wrong) || wrong == strings.ToUpper(wrong)
		if _, ok := ETH("0x" + wrong); ok != oneCase {
			t.Fatalf("%s: %t", wrong, ok)
		}
	})
}

func TestLimitOfFiles(t *testing.T) {
	for text, want := range map[string]bool{
		"SGVsbG8=": true, "SGVsbG8": true, "SGVsbG8h": false, "": false, "====": false,
	} {
		if _, ok := Base64(5)(text); ok != want {
			t.Errorf("%q: %t", text, ok)
		}
	}
}
