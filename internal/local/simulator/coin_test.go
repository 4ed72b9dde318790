package simulator

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
)

// TestCoinAddresses checks prefixes and checksums.
func TestCoinAddresses(t *testing.T) {
	for coin, prefix := range map[string]string{"BTC": "tb", "LTC": "tltc"} {
		address := coinAddress(coin, "", true, "r-1")
		found, data, version, err := bech32.DecodeGeneric(address)
		if err != nil || found != prefix || version != bech32.Version0 || data[0] != 0 || len(data) != 33 {
			t.Errorf("%s: %s, %v", coin, address, err)
		}
	}
	for coin, first := range map[string]byte{"BTC": 0x6f, "BCH": 0x6f, "LTC": 0x6f, "DOGE": 0x71, "TRX": 0x41} {
		hash, found, err := base58.CheckDecode(coinAddress(coin, "", false, "r-1"))
		if err != nil || found != first || len(hash) != 20 {
			t.Errorf("%s: %x, %v", coin, found, err)
		}
	}
	if tron := coinAddress("usdt", "tron", false, "r-1"); tron[0] != 'T' {
		t.Errorf("USDT of Tron: %s", tron)
	}
	if coinAddress("BTC", "", true, "r-1") == coinAddress("BTC", "", true, "r-2") {
		t.Error("two payments have one address")
	}
}

// TestCashAddress makes the example of the specification, and checks one of the test network.
func TestCashAddress(t *testing.T) {
	hash, _, err := base58.CheckDecode("1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu")
	if err != nil {
		t.Fatal(err)
	}
	const want = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"
	if got := cashAddress("bitcoincash", hash); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	address := coinAddress("BCH", "", true, "r-1")
	text, found := strings.CutPrefix(address, "bchtest:")
	var data []byte
	for i := range len(text) {
		data = append(data, byte(strings.IndexByte("qpzry9x8gf2tvdw0s3jn54khce6mua7l", text[i])))
	}
	if !found || cashChecksum("bchtest", data) != 0 {
		t.Errorf("%s", address)
	}
}

// TestEtherAddress makes an example of EIP-55.
func TestEtherAddress(t *testing.T) {
	const want = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	hash := []byte{
		0x5a, 0xae, 0xb6, 0x05, 0x3f, 0x3e, 0x94, 0xc9, 0xb9, 0xa0,
		0x9f, 0x33, 0x66, 0x94, 0x35, 0xe7, 0xef, 0x1b, 0xea, 0xed,
	}
	if got := etherAddress(hash); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestAdapterPIXText checks the CRC of PIX texts with the check value of CRC-16/CCITT-FALSE.
func TestAdapterPIXText(t *testing.T) {
	if got := pixCRC("123456789"); got != 0x29B1 {
		t.Errorf("the CRC of the check text is %04X", got)
	}
}
