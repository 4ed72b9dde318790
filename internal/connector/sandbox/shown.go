package sandbox

import (
	"checkout/internal/connector/provider/brcode"
	"checkout/internal/page/screen"
)

// shownRows are functions that return what the payer is shown of a charge, given the address of the sandbox's page. A
// row without a value is left out.
type shownRows = []func(e entry, page string) screen.Shown

// shown returns what the payer is shown. Numbers are derived from the reference and have forms that no bank and no
// network takes, so that nobody can lose money to them.
func (e entry) shown(page string) (all []screen.Shown) {
	for _, row := range scenes[e.Scene].shows {
		if one := row(e, page); one.Value != "" {
			all = append(all, one)
		}
	}
	return all
}

func sandboxLink(_ entry, page string) screen.Shown {
	return screen.Shown{ID: "app_link", Type: screen.ShownLink, Value: page}
}

func pageCode(_ entry, page string) screen.Shown {
	return screen.Shown{ID: "qr_code", Type: screen.ShownQR, Value: page}
}

// pixCode is of a key that is nobody's: its domain is reserved.
func pixCode(e entry, _ string) screen.Shown {
	charge := brcode.Charge{
		Key: "nobody@sandbox.example", Currency: e.Amount.Currency().Numeric, Name: "Sandbox, no real account",
		City: "Nowhere", ID: digits(e.Reference, 25),
	}
	if !e.PayerEnters {
		charge.Amount = e.Amount.String()
	}
	return screen.Shown{ID: "qr_code", Type: screen.ShownQR, Value: brcode.Text(charge)}
}

func amountDue(e entry, _ string) screen.Shown {
	return screen.ShowAmount("amount_due", e.Amount)
}

func payUntil(e entry, _ string) screen.Shown {
	return screen.ShowDeadline(e.EndsAt)
}

func confirmNumber(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "confirm_number", Type: screen.ShownText, Value: digits(e.Reference, 2)}
}

func accountName(entry, string) screen.Shown {
	return screen.Shown{ID: "account_name", Type: screen.ShownCopy, Value: "Sandbox, no real account"}
}

func accountNumber(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "account_number", Type: screen.ShownCopy, Value: "SANDBOX" + digits(e.Reference, 10)}
}

func bankName(entry, string) screen.Shown {
	return screen.Shown{ID: "bank_name", Type: screen.ShownText, Value: "Sandbox Bank"}
}

func paymentReference(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "payment_reference", Type: screen.ShownCopy, Value: "T" + digits(e.Reference, 8)}
}

func voucherNumber(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "voucher_number", Type: screen.ShownCopy, Value: digits(e.Reference, 12)}
}

// voucherBarcode has the number of the voucher and the amount, in an even number of digits.
func voucherBarcode(e entry, _ string) screen.Shown {
	value := digits(e.Reference, 12) + e.Amount.Minor()
	if len(value)%2 == 1 {
		value = "0" + value
	}
	return screen.Shown{ID: "voucher_barcode", Type: screen.ShownBarcode, Value: value}
}

func coinAddress(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "crypto_address", Type: screen.ShownCopy, Value: e.Coin.Address}
}

func coinType(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "crypto_coin", Type: screen.ShownText, Value: e.Coin.Type}
}

func coinNetwork(e entry, _ string) screen.Shown {
	return screen.Shown{ID: "crypto_network", Type: screen.ShownText, Value: e.Coin.Network}
}

func coinAmount(e entry, _ string) screen.Shown {
	if e.PayerEnters {
		return screen.Shown{}
	}
	return screen.Shown{
		ID: "crypto_amount", Type: screen.ShownAmount, Value: e.inCoins(e.Amount), Currency: e.Coin.Type,
	}
}
