package method

import "slices"

// laterMethods let the payer pay later or in parts.
var laterMethods = []Method{
	payin(Method{
		ID: "installments_a", Label: "M8", Name: "Installments, lender A", Behaviour: Redirect, Group: "installments",
	}, lenderRows("A")),
	payin(Method{
		ID: "installments_b", Label: "M8", Name: "Installments, lender B", Behaviour: Redirect, Group: "installments",
	}, lenderRows("B")),
	payin(Method{
		ID: "deferred_a", Label: "M19", Name: "Pay later, by category", Behaviour: Redirect, Group: "installments",
	}, []Param{
		{Name: "category", Type: TypeString, Need: Required},
		{Name: "buyer_registered_since", Type: TypeString, Need: Required, Check: ruleUTC},
		{Name: "buyer_loyalty_level", Type: TypeNumber, Need: Required, Default: "0"},
	}),
	payin(Method{
		ID: "deferred_b", Label: "M20", Name: "Pay later, by product", Behaviour: Redirect, Group: "installments",
	}, []Param{
		{Name: "shipping_amount", Type: TypeNumber, Need: Required},
		{Name: "tax_amount", Type: TypeNumber, Need: Required},
		{Name: "product_amount", Type: TypeNumber, Need: Required},
		{Name: "product_reference_id", Type: TypeString, Need: Required},
		{Name: "product_type", Type: TypeString, Need: Required},
		{Name: "product_sku", Type: TypeString, Need: Required},
	}),
}

// lenderRows are those of M8. The specification does not say which lender needs which, so that each may need all.
func lenderRows(lender string) []Param {
	rows := slices.Clone([]Param{
		{Name: "product_reference_id", Type: "AN64"},
		{Name: "product_name", Type: "AN255"},
		{Name: "product_quantity", Type: "N4"},
		{Name: "product_sku", Type: TypeString},
		{Name: "product_category", Type: TypeString},
		{Name: "product_url", Type: TypeString},
		{Name: "product_image_url", Type: TypeString},
		{Name: "product_type", Type: TypeString},
	})
	for i := range rows {
		rows[i].Need, rows[i].NeededBy = Conditional, []string{"lender " + lender}
	}
	return rows
}
