package method

var cardMethods = []Method{
	{
		ID: Card, Label: "CARD", Name: "Card", Behaviour: CardForm, Family: FamilyCard, Group: "card", Icon: "card",
		Card: true, TwoStep: true, Fields: cardFields, Sets: cardSets,
	},
	{
		ID: "card_brand_a", Label: "BRAND", Name: "Card of a wallet brand, first", Behaviour: CardForm, Family: FamilyBrand,
		Operations: []Operation{Purchase}, Group: "card", Icon: "card", Card: true, Fields: brandFields,
	},
	{
		ID: "card_brand_b", Label: "BRAND", Name: "Card of a wallet brand, second", Behaviour: CardForm, Family: FamilyBrand,
		Operations: []Operation{Purchase}, Group: "card", Icon: "card", Card: true, Fields: brandFields,
	},
}

// brandFields are those that a provider of a wallet brand needs, from the request or entered on the page
// (protocol.md, Requests to providers).
var brandFields = []OwnField{
	{Field: payerCard}, {Field: payerExpiry}, {Field: payerCode}, {Field: payerName}, {Field: "payer_email"},
	{Field: PayerCountry}, {Field: "payer_city"}, {Field: "payer_address"}, {Field: "payer_zip"},
}

// cardFields are the page fields of a card payment. A payout needs only the card's number and expiry. A transfer also
// needs the card that receives it.
var cardFields = []OwnField{
	{Field: payerCard},
	{Field: payerExpiry},
	{Field: payerCode, Operations: []Operation{Purchase, Debit, Transfer}},
	{Field: payerName, Operations: []Operation{Purchase, Debit, Transfer}},
	{Field: payeeCard, Operations: []Operation{Transfer}},
}

// cardSets are the sets of parameters.card (protocol.md, Parameters). Only some connectors need them, so none of their
// parameters is always required.
var cardSets = []Set{
	{Name: "C1", Extra: true, Rows: []Param{
		{Name: "bnrg_installm_def", Type: "NN", Need: Required},
		{Name: "bnrg_installm_months", Type: "NN", Need: Required},
		{Name: "bnrg_installm_plan", Type: "NN", Need: Required, Values: []string{"03", "05", "07"}},
	}},
	{Name: "C2", Extra: true, Rows: []Param{
		{Name: "document_type", Type: TypeString, Need: Required, Values: []string{"cpf"}},
		{Name: "document_number", Type: TypeString, Need: Required, Check: ruleCPF, Sensitive: true},
		{Name: "social_name", Type: TypeString, Need: Required},
		{Name: "fiscal_country", Type: TypeCountry, Need: Required},
	}},
	{Name: "C3", Rows: []Param{
		{Name: "descriptor", Type: "AN20", Need: Optional},
	}},
	{Name: "C4", Rows: []Param{
		{Name: "customer_phone", Type: TypeString, Need: Optional, Sensitive: true},
		{Name: "customer_telnocc", Type: TypeString, Need: Optional},
		{Name: "shipping_street1", Type: TypeString, Need: Optional},
		{Name: "shipping_city", Type: TypeString, Need: Optional},
		{Name: "shipping_state", Type: TypeString, Need: Optional},
		{Name: "shipping_postcode", Type: "N9", Need: Optional},
		{Name: "shipping_country", Type: TypeCountry3, Need: Optional},
	}},
	{Name: "C5", Operations: []Operation{Debit}, Rows: []Param{
		{Name: "payer_identity_type", Type: TypeString, Need: Optional},
		{Name: "payer_identity_id", Type: TypeString, Need: Optional, Sensitive: true},
		{Name: "payer_identity_country", Type: TypeString, Need: Optional, Check: ruleCountryText},
		{Name: "payer_identity_exp_date", Type: TypeDate, Need: Optional},
		{Name: "payer_nationality", Type: TypeString, Need: Optional, Check: ruleCountryText},
		{Name: "payer_country_of_birth", Type: TypeString, Need: Optional, Check: ruleCountryText},
		{Name: "payee_first_name", Type: TypeString, Need: Optional},
		// the receiver's last name; the specification prints this name
		{Name: "payer_last_name", Type: TypeString, Need: Optional},
		{Name: "payee_middle_name", Type: TypeString, Need: Optional},
		{Name: "payee_address", Type: TypeString, Need: Optional},
		{Name: "payee_city", Type: TypeString, Need: Optional},
		{Name: "payee_state", Type: TypeString, Need: Optional},
		{Name: "payee_country", Type: TypeString, Need: Optional, Check: ruleCountryText},
		{Name: "payee_zip", Type: TypeString, Need: Optional},
		{Name: "payee_phone", Type: TypeString, Need: Optional, Sensitive: true},
		{Name: "payee_birth_date", Type: TypeDate, Need: Optional, Sensitive: true},
		{Name: "payee_identity_type", Type: TypeString, Need: Optional},
		{Name: "payee_identity_id", Type: TypeString, Need: Optional, Sensitive: true},
		{Name: "payee_identity_country", Type: TypeString, Need: Optional, Check: ruleCountryText},
		{Name: "payee_identity_exp_date", Type: TypeDate, Need: Optional},
		{Name: "payee_nationality", Type: TypeString, Need: Optional, Check: ruleCountryText},
		{Name: "payee_country_of_birth", Type: TypeString, Need: Optional, Check: ruleCountryText},
	}},
	{Name: "C6", Bare: true, Rows: []Param{
		{Name: "shipping", Type: TypeObject, Need: Optional, Rows: cardShipping},
		{Name: "cart", Type: TypeObject, Need: Optional, Rows: []Param{
			{Name: "items", Type: TypeList, Need: Optional, Rows: cardCartItem},
			{Name: "payments", Type: TypeList, Need: Optional, Rows: cardCartPayment},
			// Of no set, but sent by shops: the page compares it with the order's amount.
			{Name: "totalAmount", Type: TypeString, Need: Optional},
		}},
		{Name: "marketPlace", Type: TypeObject, Need: Optional, Rows: []Param{
			{Name: "sellers", Type: TypeList, Need: Optional, Rows: []Param{
				{Name: "id", Type: "AN255", Need: Optional},
				{Name: "amount", Type: "N13", Need: Optional},
			}},
		}},
	}},
}

var cardShipping = []Param{
	{Name: "street1", Type: "AN100", Need: Conditional},
	{Name: "street2", Type: "AN100", Need: Conditional},
	{Name: "houseNumber1", Type: "AN100", Need: Optional},
	{Name: "houseNumber2", Type: "AN100", Need: Optional},
	{Name: "city", Type: "AN80", Need: Conditional},
	{Name: "state", Type: "AN50", Need: Conditional},
	{Name: "postcode", Type: "AN16", Need: Conditional},
	{Name: "country", Type: TypeCountry, Need: Conditional},
	{Name: "method", Type: "AN30", Need: Conditional},
	{Name: "cost", Type: "N13", Need: Conditional},
	{Name: "comment", Type: "AN160", Need: Conditional},
	{Name: "expectedDate", Type: "AN10", Need: Optional},
	{Name: "logisticsProvider", Type: "AN255", Need: Optional},
	{Name: "trackingNumber", Type: "AN255", Need: Optional},
	{Name: "returnTrackingNumber", Type: "AN255", Need: Optional},
	{Name: "normalized", Type: "AN255", Need: Optional},
	{Name: "validationStatus", Type: "AN255", Need: Optional},
	{Name: "warehouse", Type: "AN100", Need: Optional},
	{Name: "preference", Type: "AN21", Need: Optional},
	{Name: "middleName", Type: "AN", Need: Optional},
	{Name: "companyName", Type: "AN60", Need: Optional},
	{Name: "phone", Type: "AN25", Need: Optional},
	{Name: "workPhone", Type: "AN25", Need: Optional},
	{Name: "mobile", Type: "AN25", Need: Optional},
	{Name: "email", Type: "AN128", Need: Optional},
	{Name: "type", Type: "AN8", Need: Optional, Values: []string{"return", "shipment"}},
}

var cardCartItem = []Param{
	{Name: "name", Type: "AN255", Need: Conditional},
	{Name: "merchantItemId", Type: "AN255", Need: Conditional},
	{Name: "type", Type: "AN255", Need: Conditional},
	{Name: "quantity", Type: "N5", Need: Conditional},
	{Name: "sku", Type: "AN255", Need: Optional},
	{Name: "currency", Type: "A3", Need: Conditional},
	{Name: "description", Type: "AN2048", Need: Conditional},
	{Name: "commodityCode", Type: "N8", Need: Optional},
	{Name: "commodityDescription", Type: "AN50", Need: Optional},
	{Name: "originalPrice", Type: "AN255", Need: Optional},
	{Name: "price", Type: "N13", Need: Conditional},
	{Name: "totalAmount", Type: "N13", Need: Conditional},
	{Name: "taxAmount", Type: "N13", Need: Conditional},
	{Name: "totalTaxAmount", Type: "N13", Need: Conditional},
	{Name: "tax", Type: "AN6", Need: Conditional},
	{Name: "taxCategory", Type: "AN2", Need: Conditional},
	{Name: "shipping", Type: "N10.N2", Need: Conditional},
	{Name: "discount", Type: "N13", Need: Conditional},
	{Name: "giftMessage", Type: "AN255", Need: Optional},
	{Name: "shippingMethod", Type: "AN255", Need: Optional},
	{Name: "shippingInstructions", Type: "AN255", Need: Optional},
	{Name: "shippingTrackingNumber", Type: "AN255", Need: Optional},
	{Name: "quantityUnit", Type: "AN5", Need: Optional, Values: []string{"M", "CM", "KG", "G", "COUNT"}},
	{Name: "productUrl", Type: TypeURL, Need: Optional},
	{Name: "imageUrl", Type: TypeURL, Need: Optional},
	{Name: "totalDiscountAmount", Type: "N10.N2", Need: Optional},
	{Name: "productCode", Type: "AN30", Need: Optional},
	{Name: "partNumber", Type: "AN30", Need: Optional},
	{Name: "vatReferenceNumber", Type: "AN30", Need: Optional},
	{Name: "itemNumber", Type: "N3", Need: Optional},
	{Name: "sellerId", Type: "AN255", Need: Optional},
	{Name: "deliveryDate", Type: "AN10", Need: Optional},
	{Name: "recipient", Type: TypeObject, Need: Optional, Rows: []Param{
		{Name: "salutation", Type: "AN5", Need: Optional},
		{Name: "firstName", Type: "AN48", Need: Optional},
		{Name: "lastName", Type: "AN48", Need: Optional},
		{Name: "middleName", Type: "AN50", Need: Optional},
		{Name: "apartment", Type: "AN100", Need: Optional},
		{Name: "street", Type: "AN100", Need: Optional},
		{Name: "address", Type: "AN100", Need: Optional},
		{Name: "city", Type: "AN80", Need: Optional},
		{Name: "state", Type: "AN50", Need: Optional},
		{Name: "postcode", Type: "AN16", Need: Optional},
		{Name: "country", Type: TypeCountryOrN3, Need: Optional},
		{Name: "phone", Type: "N25", Need: Optional},
		{Name: "email", Type: "AN128", Need: Optional},
	}},
}

var cardCartPayment = []Param{
	{Name: "name", Type: "AN255", Need: Optional},
	{Name: "type", Type: "AN255", Need: Optional, Values: []string{"GIFTCARD", "PROMOTION"}},
	{Name: "amount", Type: "N10.N2", Need: Optional},
	{Name: "currency", Type: "A3", Need: Optional},
	{Name: "status", Type: "AN255", Need: Optional, Values: []string{"pending", "authorized", "captured"}},
	{Name: "brand", Type: "AN255", Need: Optional},
	{Name: "primary", Type: TypeBool, Need: Optional},
}
