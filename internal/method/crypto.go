package method

import "strings"

// Crypto is the id of payments to a crypto account (methods.md, M1).
const Crypto = "crypto"

var cryptoSets = []Set{
	{Name: "M1", Rows: []Param{
		{Name: "crypto_type", Type: TypeString, Need: Required},
		{Name: "network_type", Type: TypeString, Need: Optional, Values: []string{"eth", "tron"}},
		{Name: "bech32", Type: TypeBool, Need: Optional},
		{Name: "accountId", Type: TypeString, Need: Optional},
	}, Rules: []Rule{
		{Name: "a network only for USDT", Find: networkWithoutUSDT},
	}},
}

// networkWithoutUSDT finds a network_type that was sent with a crypto_type without networks (methods.md, M1).
func networkWithoutUSDT(sent map[string]any) (row, text string) {
	asset, _ := sent["crypto_type"].(string)
	network, _ := sent["network_type"].(string)
	if asset == "" || network == "" || strings.EqualFold(asset, "USDT") {
		return "", ""
	}
	return "network_type", NotValid("Only the crypto_type USDT has a network.")
}
