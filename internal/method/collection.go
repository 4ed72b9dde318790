package method

// collectionMethods are the nine variants of the collection family in the order of the specification, then vouchers.
// The other fields of their provider requests are the connector's.
var collectionMethods = []Method{
	payin(Method{
		ID: "instant_qr", Label: "COL1", Name: "Instant QR", Behaviour: QRCode, Group: "bank",
	}, nil).of(FamilyCollection).in("BR"),
	payin(Method{
		ID: "offline_transfer_a", Label: "COL2", Name: "Offline transfer, country A", Behaviour: DataShown, Group: "bank",
	},
		taxIDRows(ruleDNIOrCUIT)).of(FamilyCollection).used("AR"),
	payin(Method{
		ID: "offline_transfer_b", Label: "COL3", Name: "Offline transfer, country B", Behaviour: DataShown, Group: "bank",
	},
		clientNameRows).of(FamilyCollection).used(latinAmerica...),
	payin(Method{
		ID: "offline_transfer_c", Label: "COL4", Name: "Offline transfer, country C", Behaviour: DataShown, Group: "bank",
	},
		clientNameRows).of(FamilyCollection).used(latinAmerica...),
	payin(Method{
		ID: "offline_transfer_d", Label: "COL5", Name: "Offline transfer, country D", Behaviour: DataShown, Group: "bank",
	},
		taxIDRows(ruleCIOrRUN)).of(FamilyCollection).used("CL", "EC", "UY"),
	payin(Method{
		ID: "offline_service", Label: "COL6", Name: "Offline service payment", Behaviour: DataShown, Group: "cash",
	}, nil).of(FamilyCollection).used(latinAmerica...),
	payin(Method{
		ID: "instant_transfer", Label: "COL7", Name: "Instant bank transfer", Behaviour: DataShown, Group: "bank",
		Note: "instant",
	}, nil).of(FamilyCollection).used("MX"),
	payin(Method{
		ID: "pull_bank", Label: "COL8", Name: "Pull from a bank account", Behaviour: ExtraFields, Group: "bank",
		Note: "code",
	}, []Param{
		{Name: "bankDetails", Type: TypeObject, Need: Optional, Rows: []Param{
			{Name: "cbu", Type: TypeString, Need: Required, Page: asksCBU, Check: ruleCBU, Sensitive: true},
			{Name: "alias", Type: TypeString, Need: Required, Page: asksText, Check: ruleCBUAlias, Sensitive: true},
			// Of the page's second form (protocol.md, What the page does).
			{Name: "account", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: thenAsksAccount},
			{Name: "otp", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: thenAsksOptional,
				Sensitive: true},
		}},
	}).of(FamilyCollection).used("AR"),
	payin(Method{
		ID: "pull_wallet", Label: "COL9", Name: "Pull from a mobile wallet", Behaviour: ExtraFields, Group: "mobile",
		Note: "code", Icon: "wallet",
	}, []Param{
		{Name: "bankDetails", Type: TypeObject, Need: Optional, Rows: []Param{
			{Name: "phoneNumber", Type: TypeString, Need: Required, Page: asksPhone, Check: ruleMSISDN, Sensitive: true},
			{Name: "otp", Type: TypeString, Need: Required, Page: thenAsksCode, Sensitive: true},
		}},
	}).of(FamilyCollection).used(latinAmerica...),

	payin(Method{
		ID: "cash_mx", Label: "CASH", Name: "Cash voucher in Mexico", Behaviour: DataShown, Group: "cash",
	}, nil).of(FamilyCash).in("MX"),
	payin(Method{
		ID: "cash_co", Label: "CASH", Name: "Cash voucher in Colombia", Behaviour: DataShown, Group: "cash",
	}, nil).of(FamilyCash).in("CO"),
	payin(Method{
		ID: "cash_pe", Label: "CASH", Name: "Cash voucher in Peru", Behaviour: DataShown, Group: "cash",
	}, nil).of(FamilyCash).in("PE"),
	payin(Method{
		ID: "voucher", Label: "VOUCHER", Name: "Voucher", Behaviour: ExtraFields, Group: "cash",
		Note: "voucher", Icon: "voucher",
	}, []Param{
		{Name: "pin", Type: "N25", Need: Conditional, NeededBy: byConnector, Page: asksPIN, Sensitive: true},
	}).of(FamilyVoucher),
}

// taxIDRows are asked on the page, and so is the name: merchants and payers give them (protocol.md, Requests to
// providers).
func taxIDRows(check Check) []Param {
	return []Param{
		{Name: "clientTaxId", Type: TypeString, Need: Required, Page: asksText, Check: check, Sensitive: true},
	}
}

var clientNameRows = []Param{
	{Name: "clientname", Type: TypeString, Need: Required, Page: asksName},
}
