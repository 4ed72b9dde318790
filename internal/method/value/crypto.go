package value

import (
	"encoding/hex"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"golang.org/x/crypto/sha3"
)

// The first bytes of addresses in base58check.
const (
	bitcoinKey    = 0x00
	bitcoinScript = 0x05
	tronAccount   = 0x41
)

// BTC checks a Bitcoin address: base58check, or bech32 in its two versions (BIP 173, BIP 350).
func BTC(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if isBase58(text, bitcoinKey) || isBase58(text, bitcoinScript) {
		return text, true
	}
	prefix, data, version, err := bech32.DecodeGeneric(text)
	if err != nil || prefix != "bc" || len(data) == 0 {
		return text, false
	}
	program, err := bech32.ConvertBits(data[1:], 5, 8, false)
	if err != nil || len(program) < 2 || len(program) > 40 || data[0] > 16 {
		return text, false
	}
	if data[0] == 0 {
		return strings.ToLower(text), version == bech32.Version0 && (len(program) == 20 || len(program) == 32)
	}
	return strings.ToLower(text), version == bech32.VersionM
}

// isBase58 reports whether a text is the base58check of an account of 20 bytes after a first one.
func isBase58(text string, first byte) bool {
	if len(text) > 40 { // decoding takes time by the square of the length
		return false
	}
	account, found, err := base58.CheckDecode(text)
	return err == nil && found == first && len(account) == 20
}

// BCH checks a Bitcoin Cash address: a cash address, with or without its prefix, or the older base58check.
func BCH(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if isBase58(text, bitcoinKey) || isBase58(text, bitcoinScript) {
		return text, true
	}
	lower := strings.ToLower(text)
	oneCase := text == lower || text == strings.ToUpper(text)
	return lower, oneCase && isCashAddress(strings.TrimPrefix(lower, cashPrefix+":"))
}

const (
	cashPrefix  = "bitcoincash"
	cashLetters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
)

// cashSizes are the bytes of a hash by the last three bits of the first byte.
var cashSizes = [8]int{20, 24, 28, 32, 40, 48, 56, 64}

func isCashAddress(text string) bool {
	data := make([]byte, len(text))
	for i := range len(text) {
		at := strings.IndexByte(cashLetters, text[i])
		if at < 0 {
			return false
		}
		data[i] = byte(at)
	}
	if len(data) < 8 || cashChecksum(data) != 0 {
		return false
	}
	payload, err := bech32.ConvertBits(data[:len(data)-8], 5, 8, false)
	return err == nil && len(payload) > 0 && payload[0] < 0x80 && len(payload)-1 == cashSizes[payload[0]&7]
}

// cashChecksum returns the remainder of the code over 40 bits of a cash address, 0 if the address is good.
func cashChecksum(data []byte) uint64 {
	generator := [5]uint64{0x98f2bc8e61, 0x79b76d99e2, 0xf33e5fb3c4, 0xae2eabe2a8, 0x1e4f43e470}
	all := make([]byte, 0, len(cashPrefix)+1+len(data))
	for i := range len(cashPrefix) {
		all = append(all, cashPrefix[i]&0x1f)
	}
	rest := uint64(1)
	for _, d := range append(append(all, 0), data...) {
		top := rest >> 35
		rest = (rest&0x07ffffffff)<<5 ^ uint64(d)
		for i, g := range generator {
			if top>>i&1 == 1 {
				rest ^= g
			}
		}
	}
	return rest ^ 1
}

// ETH checks an address of Ethereum, or of a network with the same form. Letters in both cases have to be those of
// EIP-55; letters in one case say nothing.
func ETH(text string) (string, bool) {
	text = strings.TrimSpace(text)
	digits, found := strings.CutPrefix(text, "0x")
	if !found || !all(digits, 40, 40, isHex) {
		return text, false
	}
	lower := strings.ToLower(digits)
	return text, digits == lower || digits == strings.ToUpper(digits) || digits == mixed(lower)
}

// mixed returns the hexadecimal digits of an address in the cases of EIP-55: a letter is in upper case if the digit of
// the hash in its place is 8 or more.
func mixed(lower string) string {
	keccak := sha3.NewLegacyKeccak256()
	keccak.Write([]byte(lower))
	hash := hex.EncodeToString(keccak.Sum(nil))
	digits := []byte(lower)
	for i, c := range digits {
		if isLetter(c) && hash[i] >= '8' {
			digits[i] = c - 'a' + 'A'
		}
	}
	return string(digits)
}

// TRON checks an address of TRON.
func TRON(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, len(text) == 34 && isBase58(text, tronAccount)
}

// Solana checks an address of Solana: 32 bytes in base58.
func Solana(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, len(text) <= 44 && len(base58.Decode(text)) == 32
}

// CoinAddress checks an address of any other coin: 1 to 128 printable characters of ASCII without spaces.
func CoinAddress(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, all(text, 1, 128, func(c byte) bool { return c > ' ' && c < 0x7f })
}
