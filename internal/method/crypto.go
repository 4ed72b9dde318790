package method

import "strings"

// Crypto is the id of payments to a crypto account (infra/methods.json, M1).
const Crypto = "crypto"

var cryptoMethods = []Method{
	{
		ID: Crypto, Label: "M1", Name: "Crypto account", Behaviour: AddressShown, Family: FamilyJSON,
		Operations: []Operation{Purchase}, Group: "crypto", Icon: "coin",
		AmountElsewhere: true, Fields: []OwnField{}, Sets: cryptoSets,
	},
	{
		ID: "crypto_address", Label: "M14", Name: "Crypto address", Behaviour: AddressShown, Family: FamilyJSON,
		Operations: []Operation{Purchase}, Group: "crypto", Icon: "coin", Fields: []OwnField{},
		Sets: []Set{{Name: "M14", Rows: []Param{
			{Name: "cryptoCurrency", Type: TypeString, Need: Required},
		}}},
	},
}

var cryptoSets = []Set{
	{Name: "M1", Rows: []Param{
		{Name: "crypto_type", Type: TypeString, Need: Required},
		{Name: "network_type", Type: TypeString, Need: Optional, Values: []string{"eth", "tron"}},
		{Name: "bech32", Type: TypeBool, Need: Optional, Default: "false"},
		{Name: "accountId", Type: TypeString, Need: Optional, Sensitive: true},
	}, Rules: []Rule{
		{Name: "a network only for USDT, eth unless it is named", Find: networkOfUSDT},
	}},
}

// networkOfUSDT finds a network_type that was sent with a crypto_type without networks, and adds that of USDT where
// none was sent (infra/methods.json, M1).
func networkOfUSDT(sent map[string]any) (row, text string) {
	asset, _ := sent["crypto_type"].(string)
	network, _ := sent["network_type"].(string)
	tether := strings.EqualFold(asset, "USDT")
	if tether && sent["network_type"] == nil {
		sent["network_type"] = "eth"
	}
	if asset == "" || network == "" || tether {
		return "", ""
	}
	return "network_type", NotValid("Only the crypto_type USDT has a network.")
}
