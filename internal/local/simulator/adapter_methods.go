package simulator

import (
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// play is what the payer of a method has to do.
type play string

// The plays.
const (
	playCard     play = "card"   // 3-D Secure for some cards and amounts
	playWallet   play = "wallet" // the same, and for a card that nobody has authenticated the payer for
	playDirect   play = "direct"
	playRedirect play = "redirect"
	playQR       play = "qr"
	playTransfer play = "transfer"
	playCash     play = "cash"
	playAddress  play = "address"
	playConfirm  play = "confirm"
	playLink     play = "link"
	playCode     play = "code"
)

// adapterMethods are the methods by their ids.
var adapterMethods = map[string]play{
	"card": playCard, "card_brand_a": playCard, "card_brand_b": playCard, "applepay": playWallet, "googlepay": playWallet,
	"crypto": playAddress, "crypto_address": playAddress,
	"bank_debit": playTransfer, "bank_curp": playTransfer, "bank_rfc": playTransfer,
	"bank_cuil": playRedirect, "document_bank": playRedirect, "document_cash": playRedirect, "regional_bank": playRedirect,
	"member": playRedirect, "personal_id_br": playRedirect, "personal_id_cl": playRedirect, "personal_id_co": playRedirect,
	"bank_account": playRedirect, "bank_transfer": playRedirect, "trading_account": playRedirect, "exchange": playRedirect,
	"open_banking": playRedirect, "installments_a": playRedirect, "installments_b": playRedirect,
	"deferred_a": playRedirect, "deferred_b": playRedirect, "wallet_app": playRedirect,
	"local_transfer": playQR, "instant_qr": playQR,
	"offline_transfer_a": playTransfer, "offline_transfer_b": playTransfer, "offline_transfer_c": playTransfer,
	"offline_transfer_d": playTransfer, "instant_transfer": playTransfer,
	"offline_service": playCash, "cash_mx": playCash, "cash_co": playCash, "cash_pe": playCash,
	"pull_bank": playCode, "pull_wallet": playCode, "voucher": playDirect,
	"upi_collect": playConfirm, "upi_address": playConfirm, "mobile_account": playConfirm, "mobile_money": playConfirm,
	"mobile_bj_tg": playConfirm,
	"link_email":   playLink, "link_sms": playLink,
	"crypto_payout": playDirect, "local_payout": playDirect, "withdrawal": playDirect, "payout_wd1": playDirect,
	"payout_wd2": playDirect, "payout_wd3": playDirect, "payout_wd4": playDirect, "payout_wd5": playDirect,
	"payout_wd6": playDirect, "payout_wd7": playDirect,
}

// played is how the payer of an operation acts. In Mexico one method shows details instead of a page.
func (o Operation) played() play {
	if o.Method == "regional_bank" && o.Values["country"] == "MX" {
		return playTransfer
	}
	return adapterMethods[o.Method]
}

// secureCard asks for 3-D Secure, and so does an amount that ends in secureAmount.
const (
	secureCard   = "4000000000003220"
	secureAmount = "910"
	formAmount   = "911" // the payer of any method is asked for described fields
)

// adapterSteps are what payers have to do.
var adapterSteps = map[play]struct {
	step  Step
	limit time.Duration
	text  string // key of the page's text
}{
	playRedirect: {StepPage, adapterSoon, ""},
	playQR:       {StepSend, adapterSoon, "scan_qr"},
	playTransfer: {StepSend, adapterLater, "transfer_details"},
	playCash:     {StepSend, adapterLater, "voucher_issued"},
	playAddress:  {StepSend, adapterSoon, ""},
	playConfirm:  {StepConfirm, adapterSoon, "confirm_in_app"},
	playLink:     {StepConfirm, adapterLater, "open_link"},
	playCode:     {StepCode, adapterSoon, "enter_code"},
}

// adapterStep returns what the payer of a new operation has to do, and until when: what is paid by a bank or in cash,
// until a time that the request names.
func adapterStep(s *Simulator, o Operation, until time.Time) (Step, time.Time) {
	if o.Kind == Payout {
		return NoStep, time.Time{}
	}
	if strings.HasSuffix(o.Amount.Minor(), formAmount) {
		return StepCode, s.Now().Add(adapterSoon)
	}
	card := o.played() == playCard || o.played() == playWallet
	secure := o.Card == secureCard || strings.HasSuffix(o.Amount.Minor(), secureAmount)
	if card && (secure || o.Values["unauthenticated"] != "") {
		return Step3DS, s.Now().Add(adapterSoon)
	}
	row := adapterSteps[o.played()]
	if row.step == NoStep {
		return NoStep, time.Time{}
	}
	if offline := row.step == StepSend && row.limit == adapterLater; offline && !until.IsZero() {
		return row.step, until
	}
	return row.step, s.Now().Add(row.limit)
}

// adapterRow is a value that the payer is shown.
type adapterRow struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Value    string `json:"value"`
	Currency string `json:"currency,omitempty"`
}

// adapterRows are what the payer is shown. The account is one that no bank has.
func (s *Simulator) adapterRows(o Operation) (rows []adapterRow) {
	add := func(id, kind, value string) { rows = append(rows, adapterRow{id, kind, value, ""}) }
	number := fmt.Sprintf("%010d", crc32.ChecksumIEEE([]byte(o.ID)))
	due := adapterRow{"amount_due", "amount", o.Amount.String(), o.Amount.Currency().Code}
	until := o.ExpiresAt.UTC().Format(time.RFC3339)
	switch o.played() {
	case playQR:
		add("qr_code", "qr", pixText(o))
		rows = append(rows, due)
	case playTransfer:
		add("account_name", "copy", "Simulator, no real account")
		add("account_number", "copy", "SIMULATOR"+number)
		add("bank_name", "text", "Simulated Bank")
		add("payment_reference", "copy", "S"+number)
		rows = append(rows, due)
		add("pay_until", "deadline", until)
	case playCash:
		add("voucher_number", "copy", number)
		add("voucher_barcode", "barcode", number)
		rows = append(rows, due)
		add("pay_until", "deadline", until)
	case playAddress:
		address := coinAddress(o.coin(), o.Values["network"], o.Values["short"] != "", o.Reference)
		add("crypto_address", "copy", address)
		add("crypto_coin", "text", o.coin())
		if o.Values["network"] != "" {
			add("crypto_network", "text", o.Values["network"])
		}
		if !o.Amount.IsZero() {
			rows = append(rows, adapterRow{"crypto_amount", "amount", o.Amount.String(), o.coin()})
		}
		add("qr_code", "qr", address)
	case playConfirm:
		add("confirm_number", "text", number[8:])
	}
	add("app_link", "link", s.PayURL(o))
	return rows
}

// coin is the coin that the payer sends; one of it is worth one of the order's currency.
func (o Operation) coin() string {
	if o.Values["coin"] == "" {
		return o.Amount.Currency().Code
	}
	return strings.ToUpper(o.Values["coin"])
}

// The times that payers have.
const (
	adapterSoon  = 15 * time.Minute
	adapterLater = 3 * 24 * time.Hour
)
