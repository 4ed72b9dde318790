package simulator

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"golang.org/x/crypto/sha3"
)

// coinAddress is the address of a test network to which a payer sends a coin. Nobody has its key: it is made of a hash.
// short asks for the newer form of Bitcoin (segwit) and Bitcoin Cash (a cash address).
func coinAddress(coin, network string, short bool, seed string) string {
	sum := sha256.Sum256([]byte(seed))
	hash := sum[:20]
	switch coin = strings.ToUpper(coin); {
	case network == "tron" || coin == "TRX":
		return base58.CheckEncode(hash, 0x41) // Tron's test networks have the main network's form
	case coin == "BTC" && short:
		return segwit("tb", hash)
	case coin == "LTC" && short:
		return segwit("tltc", hash)
	case coin == "BCH" && short:
		return cashAddress("bchtest", hash)
	case coin == "BTC" || coin == "BCH" || coin == "LTC":
		return base58.CheckEncode(hash, 0x6f)
	case coin == "DOGE":
		return base58.CheckEncode(hash, 0x71)
	}
	return etherAddress(hash)
}

// segwit is an address of version 0 (BIP 173).
func segwit(prefix string, hash []byte) string {
	data, _ := bech32.ConvertBits(hash, 8, 5, true) // can't fail when it pads
	text, _ := bech32.Encode(prefix, append([]byte{0}, data...))
	return text
}

// cashAddress is a cash address of a key (CashAddr, version byte 0).
func cashAddress(prefix string, hash []byte) string {
	const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	data, _ := bech32.ConvertBits(append([]byte{0}, hash...), 8, 5, true)
	sum := cashChecksum(prefix, append(data[:len(data):len(data)], make([]byte, 8)...))
	for i := range 8 {
		data = append(data, byte(sum>>(5*(7-i)))&31)
	}
	text := prefix + ":"
	for _, d := range data {
		text += letters[d : d+1]
	}
	return text
}

// cashChecksum is the remainder of the code over 40 bits, 0 for data with a right checksum.
func cashChecksum(prefix string, data []byte) uint64 {
	generator := []uint64{0x98f2bc8e61, 0x79b76d99e2, 0xf33e5fb3c4, 0xae2eabe2a8, 0x1e4f43e470}
	var all []byte
	for i := range len(prefix) {
		all = append(all, prefix[i]&31)
	}
	sum := uint64(1)
	for _, d := range append(append(all, 0), data...) {
		top := sum >> 35
		sum = sum&0x07ffffffff<<5 ^ uint64(d)
		for i, g := range generator {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	return sum ^ 1
}

// etherAddress is an address in the cases of EIP-55.
func etherAddress(hash []byte) string {
	lower := hex.EncodeToString(hash)
	keccak := sha3.NewLegacyKeccak256()
	keccak.Write([]byte(lower))
	cases := hex.EncodeToString(keccak.Sum(nil))
	out := []byte(lower)
	for i := range out {
		if cases[i] >= '8' && out[i] >= 'a' {
			out[i] -= 'a' - 'A'
		}
	}
	return "0x" + string(out)
}
