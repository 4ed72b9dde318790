package method

// mobileMethods are confirmed in an app or on a phone.
var mobileMethods = []Method{
	payin(Method{ID: "upi_collect", Label: "M11", Name: "UPI", Behaviour: ConfirmInApp, Group: "mobile"}, []Param{
		{Name: "upi_id", Type: TypeString, Need: Required, Page: asksText, Check: ruleUPI, Sensitive: true},
	}).used("IN"),
	payin(Method{
		ID: "upi_address", Label: "M12", Name: "UPI address", Behaviour: ConfirmInApp, Group: "mobile",
	}, []Param{
		{Name: "upiAddress", Type: TypeString, Need: Required, Page: asksText, Check: ruleUPI, Sensitive: true},
	}).used("IN"),
	payin(Method{
		ID: "mobile_account", Label: "M22", Name: "Mobile money account", Behaviour: ConfirmInApp, Group: "mobile",
	}, []Param{
		{Name: "AccountProviderCode", Type: TypeString, Need: Optional},
		{Name: "NarrativeFileName", Type: TypeString, Need: Optional},
		{Name: "NarrativeFileBase64", Type: TypeBase64, Need: Optional, Check: ruleBase64, Sensitive: true,
			File: true},
		{Name: "ProviderReferenceText", Type: TypeString, Need: Optional},
	}, Rule{Name: "a file with its name, or neither", Find: fileWithName}).used(mobileMoney...),
	payin(Method{
		ID: "mobile_money", Label: "MOBILE", Name: "Mobile money", Behaviour: ConfirmInApp, Group: "mobile",
	}, phoneRows(ruleMSISDN)).of(FamilyMobileMoney).used(mobileMoney...).asking("payer_email"),
	payin(Method{
		ID: "mobile_bj_tg", Label: "BJTG", Name: "Mobile money in Benin and Togo", Behaviour: ConfirmOnPhone, Group: "mobile",
	}, phoneRows(ruleBeninTogo)).of(FamilyMobileMoney).in("BJ", "TG").asking("payer_email"),
	payin(Method{
		ID: "wallet_app", Label: "WALLETAPP", Name: "Wallet app", Behaviour: Redirect, Group: "mobile",
		Note: "app", Icon: "wallet",
	}, phoneRows(ruleMSISDN)).of(FamilyWalletApp),
}

func phoneRows(check Check) []Param {
	return []Param{
		{Name: "phone", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksPhone, Check: check,
			Sensitive: true},
	}
}

// fileWithName drops a file without its name, and a name without its file (infra/methods.json, M22).
func fileWithName(sent map[string]any) (row, text string) {
	if sent["NarrativeFileName"] == nil || sent["NarrativeFileBase64"] == nil {
		delete(sent, "NarrativeFileName")
		delete(sent, "NarrativeFileBase64")
	}
	return "", ""
}
