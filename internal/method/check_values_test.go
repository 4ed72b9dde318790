package method

import (
	"strings"
	"testing"
)

// checkCase has values of a check that needs only the value: good ones, which providers get as they are, bad ones, and
// good ones as people write them with what providers get. The page's tests read them too.
type checkCase struct {
	Rule    string            `json:"rule"`
	Source  string            `json:"source"`
	Good    []string          `json:"good"`
	Bad     []string          `json:"bad"`
	Written map[string]string `json:"written,omitempty"`
}

// Values that several checks share.
const (
	bitcoinKeyAddress = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
	mixedAddress      = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	tronAddress       = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
	cashAddress       = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"
)

var checkValues = map[Check]checkCase{
	ruleCardNumber: {
		Good: goodCardNumbers,
		Bad:  []string{"4111111111111112", "4222222222222", "41111111111111110000", "0"},
	},
	ruleSecurityCode: {Good: []string{"123", "1234", "000"}, Bad: []string{"12", "1"}},
	ruleCardName: {
		Good: []string{
			"John Doe", "Anne-Marie O’Neil", "José d'Ávila Ñoño", "Jose\u0301 Pe\u0301rez", "Нина Ким", "A B",
			"Ada B. Example", "DR. ADA EXAMPLE", "Ada L.",
		},
		Bad: []string{"John", "John 2", "J0hn Doe", "John -", "John .", "4111111111111111 4111111111111111"},
	},
	ruleEmail: {
		Good: []string{"a@b.co", "first.last+tag@mail.example.com", "jürgen@müller.de", "o'neil@example.museum"},
		Bad:  []string{"a", "a@", "@b.co", "a@b", "a@b..co", "a b@c.co", "a@b@c.co"},
	},
	ruleCountry: {Good: []string{"FR", "US"}, Bad: []string{"fr", "FRA", "XX", "Z"}},
	rulePhone:   {Good: []string{"+1(555)123-4567", "5", "0049-30-1"}, Bad: []string{"call me", "+", "()", "1x"}},
	ruleAgreed:  {Good: []string{"true"}, Bad: []string{"yes", "1"}},

	ruleIBAN: {
		Good: []string{
			"GB29NWBK60161331926819", "DE89370400440532013000", "BR1800360305000010009795493C1", "KZ86125KZT5004100100",
			"AZ21NABZ00000000137010001944", "NO9386011117947", "MT84MALT011000012345MTLCAST001S",
			"XK051212012345678906", "FR1420041010050500013M02606", "CH9300762011623852957", "SA0380000000608010167519",
		},
		Bad: []string{
			"GB29NWBK60161331926818", "DE8937040044053201300", "XX89370400440532013000", "GB29", "DEAB370400440532013000",
			"DE8937040044053201300Ä",
		},
		Written: map[string]string{
			"gb29 NWBK 6016 1331 9268 19": "GB29NWBK60161331926819",
			"DE89-3704-0044-0532-0130-00": "DE89370400440532013000",
		},
	},
	ruleBIC: {
		Good:    []string{"DEUTDEFF", "DEUTDEFF500", "NEDSZAJJXXX", "NCBVXKPR"},
		Bad:     []string{"DEUTDEF", "AGRIF2PP", "AGRIFRPP8", "DEUTZZFF", "DEUTDEFF5000", "D1UTDEFF"},
		Written: map[string]string{"deut de ff": "DEUTDEFF"},
	},
	ruleBBAN:     {Good: []string{"NWBK60161331926819", "1"}, Bad: []string{"NWBK_6016", strings.Repeat("1", 36)}},
	ruleBankCode: {Good: []string{"021000021", "VA1"}, Bad: []string{"a+b", strings.Repeat("1", 36)}},
	ruleCLABE: {
		Good:    []string{"032180000118359719", "002010077777777771", "646180110400000007"},
		Bad:     []string{"032180000118359718", "03218000011835971", "03218000011835971A", "000000000000000000"},
		Written: map[string]string{"032 180 00011835971 9": "032180000118359719"},
	},
	ruleCCI: {
		Good: []string{"01136600010003254221", "01124100019000658270", "00219300123456789013"},
		Bad:  []string{"0113660001000325422", "0113660001000325422A", "011366000100032542211"},
		Written: map[string]string{
			"011-366-000100032542-21": "01136600010003254221",
		},
	},
	ruleCBU: {
		Good: []string{"2850590940090418135201", "0110599520000001234569", "0720001420000000001236"},
		Bad: []string{
			"2810590940090418135201", "285059094009041813520", "2850590940090418135202", "0000000000000000000000",
		},
		Written: map[string]string{"28505909 40090418135201": "2850590940090418135201"},
	},
	ruleCBUAlias: {
		Good: []string{"mi.cuenta.sueldo", "ABC123"},
		Bad:  []string{"abc", "a b c d e f", "mi_cuenta", strings.Repeat("a", 21)},
	},
	ruleIFSC: {
		Good:    []string{"SBIN0000300", "HDFC0000001", "KKBK0000958"},
		Bad:     []string{"SBIN1000300", "SBIN000030", "SB1N0000300"},
		Written: map[string]string{" sbin0000300": "SBIN0000300"},
	},
	ruleUPI: {
		Good: []string{"success@razorpay", "9876543210@upi", "test.user-1@kotak811"},
		Bad:  []string{"name@example.com", "a@upi", "success@ razorpay", "name@", "name", "name@1upi", "a@b@upi"},
	},
	ruleSortCode: {
		Good: []string{"200000"}, Bad: []string{"20000", "2000000", "20000A"},
		Written: map[string]string{"20-00-00": "200000"},
	},
	ruleAccountNumber: {Good: []string{"12345678", "123456", "12345678901234567"}, Bad: []string{"1234", "1234567A"}},
	ruleRollNumber:    {Good: []string{"D/00012345-6", "1"}, Bad: []string{"1 2", strings.Repeat("1", 19)}},
	ruleABA: {
		Good: []string{"111000025", "021000021", "011000015"},
		Bad:  []string{"112000025", "11100002", "123456789", "000000000", "990000006"},
	},
	ruleBSB: {Good: []string{"062000"}, Bad: []string{"06200"}, Written: map[string]string{"062-000": "062000"}},
	ruleBLZ: {
		Good: []string{"37040044"}, Bad: []string{"07040044", "97040044", "3704004"},
		Written: map[string]string{"370 400 44": "37040044"},
	},
	ruleBranch: {Good: []string{"0001"}, Bad: []string{"001", "00001", "000A"}},
	ruleMaskedPAN: {
		Good:    []string{"411111******1111", "************1111", "411111******"},
		Bad:     []string{"4111111111111111", "4111111*****1111", "411111*****11111", "411111**1***1111", "4***"},
		Written: map[string]string{"4111 11XX XXXX 1111": "411111******1111"},
	},
	ruleTransferKey: {
		Good: []string{
			"123e4567-e12b-12d1-a456-426655440000", "123e4567e12b12d1a456426655440000", "52998224725", "11222333000181",
			"12ABC34501DE35", "5511961234567", "+5511961234567", "name@example.com",
		},
		Bad: []string{
			"123e4567e12b", "52998224726", "55119612345", "11222333000182", "name@example", "any random text",
			strings.Repeat("a", 64) + "@" + strings.Repeat("b", 60) + "." + strings.Repeat("c", 60) + ".com",
		},
		Written: map[string]string{
			"529.982.247-25":                       "52998224725",
			"11.222.333/0001-81":                   "11222333000181",
			"+55 (11) 96123-4567":                  "+5511961234567",
			"123E4567-E12B-12D1-A456-426655440000": "123e4567-e12b-12d1-a456-426655440000",
		},
	},
	ruleRandomKey: {
		Good: []string{"123e4567-e12b-12d1-a456-426655440000", "123e4567e12b12d1a456426655440000"},
		Bad: []string{
			"123e4567e12b", "123e4567-e12b-12d1-a456-42665544000g", "123e4567ee12b-12d1-a456-426655440000",
			"123e4567-e12b-12d1-a4564266554400000",
		},
	},
	ruleTransferPhone: {
		Good: []string{"5511961234567", "+5511961234567"}, Bad: []string{"55119612345", "11961234567", "55119612345678"},
		Written: map[string]string{"55 11 96123-4567": "5511961234567"},
	},

	ruleCPF: {
		Good:    []string{"52998224725", "11144477735", "39053344705"},
		Bad:     []string{"52998224726", "23100299900", "11111111111", "5299822472", "5299822472X"},
		Written: map[string]string{"529.982.247-25": "52998224725"},
	},
	ruleCNPJ: {
		Good:    []string{"11222333000181", "00000000000191", "12ABC34501DE35"},
		Bad:     []string{"11222333000182", "12ABC34501DE36", "00000000000000", "12ABC34501DEA5", "1122233300018"},
		Written: map[string]string{"11.222.333/0001-81": "11222333000181", "12.abc.345/01de-35": "12ABC34501DE35"},
	},
	ruleCPFOrCNPJ: {
		Good: []string{"52998224725", "11222333000181"}, Bad: []string{"52998224726", "11222333000182", "1122233300"},
	},
	ruleCUIT: {
		Good:    []string{"20055361682", "20267565393", "33693450239"},
		Bad:     []string{"20267565392", "2026756539", "99267565393"},
		Written: map[string]string{"20-26756539-3": "20267565393"},
	},
	ruleDNIArgentina: {
		Good:    []string{"20123456", "5536168", "26756539"},
		Bad:     []string{"2012345699", "123456", "2012345A"},
		Written: map[string]string{"20.123.456": "20123456"},
	},
	ruleDNIOrCUIT: {Good: []string{"20123456", "20267565393"}, Bad: []string{"20267565392", "123456"}},
	ruleCURP: {
		Good: []string{"BOXW310820HNERXN09", "HEGG560427MVZRRL04"},
		Bad: []string{
			"HEGG560427MVZRRL05", "BOXW310820HNERXN08", "BOXW311320HNERXN09", "BOXW310820HZZRXN09", "BOXW310820",
		},
		Written: map[string]string{"boxw 310820 HNERXN09": "BOXW310820HNERXN09"},
	},
	ruleRFC: {
		Good: []string{
			"GODE561231GR8", "MAB9307148T4", "VACE460910SX6", "XEXX010101000", "XAXX010101000", "ÑA&9307148T4", "GODE560229GR8",
		},
		Bad:     []string{"GODE561331GR8", "GODE561231", "GODE56123", "GODE570229GR8", "1ODE561231GR8"},
		Written: map[string]string{"gode-561231-gr8": "GODE561231GR8"},
	},
	ruleRUT: {
		Good:    []string{"125319092", "760864285", "10000013K"},
		Bad:     []string{"125319093", "76086A285", "12531909", "1K0000130"},
		Written: map[string]string{"12.531.909-2": "125319092", "10.000.013-k": "10000013K"},
	},
	ruleCIUruguay: {
		Good: []string{"12345672"}, Bad: []string{"12345678", "123456", "00000000"},
		Written: map[string]string{"1.234.567-2": "12345672"},
	},
	ruleCIEcuador: {Good: []string{"1714307103"}, Bad: []string{"1714307104", "171430710", "2514307103"}},
	ruleCIOrRUN: {
		Good: []string{"12345672", "1714307103", "125319092"}, Bad: []string{"12345678", "1714307104", "125319093"},
	},
	ruleDNIPeru: {Good: []string{"10117410"}, Bad: []string{"1011741", "1011741A"}},
	ruleCEPeru:  {Good: []string{"001234567", "N00123456789"}, Bad: []string{"12345678", "1234567890123", "12345_789"}},
	rulePASPeru: {Good: []string{"AB123", "123456789012"}, Bad: []string{"AB12", "1234567890123"}},
	ruleRUC:     {Good: []string{"20512333797", "10054148289"}, Bad: []string{"20512333798", "99512333797", "2051233379"}},
	ruleCCColombia: {
		Good: []string{"1020304050", "12345"}, Bad: []string{"12", "12345678901", "1020A"},
		Written: map[string]string{"1.020.304.050": "1020304050"},
	},
	ruleCEColombia: {Good: []string{"123456", "1234567"}, Bad: []string{"12345", "12345678"}},
	ruleNIT: {
		Good: []string{"2131234321", "800123459"}, Bad: []string{"2131234325", "12"},
		Written: map[string]string{"213.123.432-1": "2131234321"},
	},
	ruleIDColombia: {Good: []string{"1020304050", "800123459"}, Bad: []string{"12", "102030405A"}},

	ruleMSISDN: {
		Good: []string{"+14155552671", "+442071838750", "+5511961234567", "+2290197000000", "+22890112345", "+6834000"},
		Bad:  []string{"+1415555267", "4155552671", "+999123456789", "+", "+1", "+1415555267A", "+491234567890123456"},
		Written: map[string]string{
			"+1 (415) 555-2671": "+14155552671",
			"0044 20 7183 8750": "+442071838750",
		},
	},
	ruleBeninTogo: {
		Good:    []string{"+2290197000000", "+22890112345"},
		Bad:     []string{"+22997000000", "+2289011234", "+14155552671", "+2290297000000", "90112345"},
		Written: map[string]string{"+229 01 97 00 00 00": "+2290197000000"},
	},

	ruleBTC: {
		Good: []string{
			bitcoinKeyAddress, "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
		},
		Bad: []string{
			"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", // bech32 where bech32m is due
			"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3T4",
			"tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", tronAddress, mixedAddress,
		},
		Written: map[string]string{
			"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
		},
	},
	ruleBCH: {
		Good: []string{cashAddress, "ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu"},
		Bad: []string{
			"bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6b", "bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap",
			"bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "q", "bitcoincash:",
		},
		Written: map[string]string{strings.ToUpper(cashAddress): cashAddress},
	},
	ruleETH: {
		Good: []string{
			mixedAddress, "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "0x52908400098527886E0F7030069857D2E4169EE7",
			strings.ToLower(mixedAddress),
		},
		Bad: []string{
			"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed", mixedAddress[2:], mixedAddress[:41], mixedAddress[:41] + "g",
		},
		Written: map[string]string{" " + mixedAddress + "\n": mixedAddress},
	},
	ruleTRON: {
		Good: []string{tronAddress, "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"},
		Bad:  []string{"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u", bitcoinKeyAddress, "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"},
	},
	ruleSolana: {
		Good: []string{"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", strings.Repeat("1", 32)},
		Bad:  []string{"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10", strings.Repeat("1", 31), strings.Repeat("l", 32)},
	},
	ruleUSDT:        {Good: []string{mixedAddress, tronAddress}, Bad: []string{bitcoinKeyAddress}},
	ruleCoinAddress: {Good: []string{"r:1!~", "1"}, Bad: []string{"a b", "ä", strings.Repeat("1", 129)}},

	ruleUTC: {
		Good: []string{"2019-08-24T14:15:22Z", "2019-08-24T14:15:22+00:00", "2019-08-24T14:15:22.5Z"},
		Bad:  []string{"2019-08-24", "2019-08-24T14:15:22", "2019-08-24T14:15:22+02:00", "2019-02-30T14:15:22Z"},
	},
	ruleBase64: {
		Good: []string{"SGVsbG8=", "SGVsbG8"}, Bad: []string{"SGVsbG8*", "SGVsbG8==", "=", "A", "SGVsbG-_"},
		Written: map[string]string{"SGVs\nbG8=": "SGVsbG8="},
	},
	ruleCurrency: {
		Good:    []string{"EUR", "USDT"},
		Bad:     []string{"EU", "XXX", "978", "WORD", "EUROS", "DOLLAR", "ABCD12"},
		Written: map[string]string{"eur": "EUR"},
	},
	ruleLinkSecret: {
		Good: []string{"abc", "Straße", strings.Repeat("a", 25)}, Bad: []string{"ab", "a b c", strings.Repeat("a", 26)},
	},
	ruleCountryText: {
		Good: []string{"FR", "FRA", "France", "U.S."}, Bad: []string{"XX", "XXX"}, Written: map[string]string{"fra": "FRA"},
	},
}

func TestChecks(t *testing.T) {
	for check, values := range checkValues {
		for _, value := range values.Good {
			checkGood(t, check, value, value)
		}
		for value, plain := range values.Written {
			checkGood(t, check, value, plain)
		}
		for _, value := range append(values.Bad, "", " ") {
			if check.fault(value) == "" {
				t.Errorf("%s accepts %q", check, value)
			}
			if plain := check.plain(value); plain != value {
				t.Errorf("%s changes the bad value %q to %q", check, value, plain)
			}
		}
	}
}

// checkGood checks that a value is good, and that what providers get is good and stays as it is.
func checkGood(t *testing.T, check Check, value, plain string) {
	t.Helper()
	if fault := check.fault(value); fault != "" {
		t.Errorf("%s rejects %q: %s", check, value, fault)
	}
	if got := check.plain(value); got != plain || check.plain(got) != got || check.fault(got) != "" {
		t.Errorf("%s makes %q of %q", check, got, value)
	}
}

func TestChecksHaveValues(t *testing.T) {
	table := map[Check]checkCase{}
	for check, rule := range rules {
		values, tested := checkValues[check]
		if tested != (rule.read != nil) || rule.text == "" || rule.source == "" {
			t.Errorf("%s: %q of %q, has values: %t", check, rule.text, rule.source, tested)
		}
		if !tested {
			continue
		}
		if len(values.Good) == 0 || len(values.Bad) == 0 {
			t.Errorf("%s has no good or no bad value", check)
		}
		values.Rule, values.Source = rule.text, rule.source
		table[check] = values
	}
	golden(t, "testdata/checks.golden.json", table)
}
