package vault

import (
	"crypto/ecdh"
	"crypto/hpke"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"checkout/internal/card"
)

const testInfo = "checkout card v1 session-ü merchant"

var testCard = card.Card{Number: "4111111111111111", ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: "123"}

const testDay = "2030-03-04"

// seeded makes a key whose seed is the bytes first, first+1, ...
func seeded(t *testing.T, first byte) *privateKey {
	t.Helper()
	seed := make([]byte, keySize)
	for i := range seed {
		seed[i] = first + byte(i)
	}
	key, err := deriveKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	return &privateKey{keyID(testDay, key.PublicKey().Bytes()), key}
}

// publicOf is the public half of a key, with another point.
func publicOf(key *privateKey, point []byte) card.PublicKey {
	return card.PublicKey{ID: key.id, Point: base64url.EncodeToString(point)}
}

// sealedTo seals a card to a key.
func sealedTo(t *testing.T, key *privateKey, card card.Card) card.Sealed {
	t.Helper()
	sealed, err := (&Vault{}).Seal(publicOf(key, key.key.PublicKey().Bytes()), testInfo, card)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// sealedText seals any text to a key.
func sealedText(t *testing.T, to *privateKey, plain string) card.Sealed {
	t.Helper()
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(to.key.PublicKey().Bytes())
	if err != nil {
		t.Fatal(err)
	}
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(testInfo))
	if err != nil {
		t.Fatal(err)
	}
	ciphertext, err := sender.Seal([]byte(testInfo), []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	return card.Sealed{KeyID: to.id, Enc: base64url.EncodeToString(enc), Ciphertext: base64url.EncodeToString(ciphertext)}
}

func TestSealedCardOpens(t *testing.T) {
	key := seeded(t, 1)
	card, err := key.Open(sealedTo(t, key, testCard), testInfo)
	if err != nil || !reflect.DeepEqual(card, testCard) {
		t.Fatalf("opened %v, %v", card, err)
	}
}

// The npm package @hpke/core 1.9.0 sealed testCard to the key that is seeded with 0, 1, 2 ...
func TestCardSealedByTheBrowsersLibraryOpens(t *testing.T) {
	key := seeded(t, 0)
	const want = "BM-yZNhcfrJ2z2B3PEYdci4ltkvzRdB3waixDAW43stFt62EnM5elmAQLz82iv0i_nl8r2w6nLy-dleye7zd_bE"
	if got := base64url.EncodeToString(key.key.PublicKey().Bytes()); got != want {
		t.Fatalf("derived the public key %s", got)
	}
	card, err := key.Open(card.Sealed{
		KeyID: key.id,
		Enc:   "BLAuDDfj6cBqa2Q2XHH_bJMHSW4riQWUr24ICNz7bdBJ8GhXgWcuwt6Un1IGWN-LOXVT7XluoGrVRnq5Pm56Sto",
		Ciphertext: "WiLuLSiCbLgXthzSDZOloNqJ1Cfj4G4w8WZayZKjDgXpEq7OdV0Why5LV72d1msIg0ePp1ShjfS3CKi8" +
			"N8RmDbubILJJBsrKlgCiR27VlcpvrmFG1sGu0YtQodG4Pxd4hbanERTXhg",
	}, testInfo)
	if err != nil || !reflect.DeepEqual(card, testCard) {
		t.Fatalf("opened %v, %v", card, err)
	}
}

func TestOpenFails(t *testing.T) {
	key := seeded(t, 1)
	good := sealedTo(t, key, testCard)
	toOther := sealedTo(t, seeded(t, 2), testCard)
	tests := map[string]struct {
		change func(*card.Sealed)
		info   string
	}{
		"other info":             {func(*card.Sealed) {}, testInfo + "2"},
		"no info":                {func(*card.Sealed) {}, ""},
		"unknown key id":         {func(s *card.Sealed) { s.KeyID = toOther.KeyID }, testInfo},
		"the key of another day": {func(s *card.Sealed) { s.KeyID = "2030-03-05" + s.KeyID[10:] }, testInfo},
		"no key id":              {func(s *card.Sealed) { s.KeyID = "" }, testInfo},
		"sealed to other key":    {func(s *card.Sealed) { s.Enc, s.Ciphertext = toOther.Enc, toOther.Ciphertext }, testInfo},
		"other enc":              {func(s *card.Sealed) { s.Enc = toOther.Enc }, testInfo},
		"enc off the curve":      {func(s *card.Sealed) { s.Enc = flip(t, s.Enc, 40) }, testInfo},
		"enc of another form":    {func(s *card.Sealed) { s.Enc = flip(t, s.Enc, 0) }, testInfo},
		"short enc":              {func(s *card.Sealed) { s.Enc = s.Enc[:len(s.Enc)-4] }, testInfo},
		"long enc":               {func(s *card.Sealed) { s.Enc += "AAAA" }, testInfo},
		"no enc":                 {func(s *card.Sealed) { s.Enc = "" }, testInfo},
		"enc is no base64url":    {func(s *card.Sealed) { s.Enc = "+" + s.Enc[1:] }, testInfo},
		"enc with padding":       {func(s *card.Sealed) { s.Enc += "=" }, testInfo},
		"ciphertext, one bit":    {func(s *card.Sealed) { s.Ciphertext = flip(t, s.Ciphertext, 3) }, testInfo},
		"tag, one bit":           {func(s *card.Sealed) { s.Ciphertext = flip(t, s.Ciphertext, -1) }, testInfo},
		"short ciphertext":       {func(s *card.Sealed) { s.Ciphertext = s.Ciphertext[:8] }, testInfo},
		"no ciphertext":          {func(s *card.Sealed) { s.Ciphertext = "" }, testInfo},
		"ciphertext no base64":   {func(s *card.Sealed) { s.Ciphertext = "4111 1111" }, testInfo},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sealed := good
			test.change(&sealed)
			card, err := key.Open(sealed, test.info)
			checkErrDecrypt(t, card, err)
		})
	}
}

func TestContentThatIsNoCard(t *testing.T) {
	key := seeded(t, 1)
	tests := map[string]string{
		"nothing":       "",
		"no JSON":       "4111111111111111",
		"broken JSON":   `{"number":"4111111111111111"`,
		"null":          "null",
		"wrong type":    `{"number":4111111111111111}`,
		"unknown field": `{"number":"4111111111111111","pin":"1234"}`,
		"two cards":     `{"number":"4111111111111111"}{}`,
	}
	for name, plain := range tests {
		t.Run(name, func(t *testing.T) {
			card, err := key.Open(sealedText(t, key, plain), testInfo)
			checkErrDecrypt(t, card, err)
		})
	}
}

func TestCiphertextLimit(t *testing.T) {
	key := seeded(t, 1)
	const tag, rest = 16, len(`{"number":""}`)
	fits := `{"number":"` + strings.Repeat("1", maxCiphertext-tag-rest) + `"}`
	if _, err := key.Open(sealedText(t, key, fits), testInfo); err != nil {
		t.Errorf("%d bytes: %v", maxCiphertext, err)
	}
	card, err := key.Open(sealedText(t, key, fits+" "), testInfo)
	checkErrDecrypt(t, card, err)
}

func TestSealFails(t *testing.T) {
	key := seeded(t, 1)
	point := key.key.PublicKey().Bytes()
	if _, err := (&Vault{}).Seal(publicOf(key, point[:33]), testInfo, testCard); err == nil {
		t.Error("half a point was accepted")
	}
	tooLarge := card.Card{Number: strings.Repeat("1", maxCiphertext)}
	if _, err := (&Vault{}).Seal(publicOf(key, point), testInfo, tooLarge); err == nil {
		t.Error("a card too large to open was sealed")
	}
}

func TestNewLocalNeedsEnoughRandomness(t *testing.T) {
	vault, err := NewLocal(strings.NewReader("too short"), noon)
	if !errors.Is(err, io.ErrUnexpectedEOF) || vault != nil {
		t.Errorf("made a vault, %v", err)
	}
}

// checkErrDecrypt checks that no card was returned, and that the error is ErrDecrypt and shows nothing of the card.
func checkErrDecrypt(t *testing.T, c card.Card, err error) {
	t.Helper()
	if !errors.Is(err, card.ErrDecrypt) {
		t.Fatalf("the error is %v", err)
	}
	if !reflect.DeepEqual(c, card.Card{}) {
		t.Error("a card came with the error")
	}
	if strings.Contains(err.Error(), "411111") || strings.Contains(err.Error(), "pin") {
		t.Errorf("the error shows the content: %v", err)
	}
}

// flip changes one bit of the byte at index at, counted from the end if negative.
func flip(t *testing.T, encoded string, at int) string {
	t.Helper()
	raw, err := base64url.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if at < 0 {
		at += len(raw)
	}
	raw[at] ^= 1
	return base64url.EncodeToString(raw)
}
