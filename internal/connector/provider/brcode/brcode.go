// Package brcode writes the texts of PIX codes, which payers scan with the app of their bank. A BR Code is the
// merchant-presented QR code of EMVCo with the fields that the central bank of Brazil asks for.
package brcode

import "fmt"

// Charge is what a QR code asks the payer to pay. Texts are of ASCII, and what is longer than its field is cut.
type Charge struct {
	Key      string // of PIX: who is paid; up to 77 characters
	Amount   string // decimal, with a point, up to 13 characters; "": the payer enters it
	Currency string // numeric code of ISO 4217
	Name     string // of who is paid; up to 25 characters
	City     string // of who is paid; up to 15 characters
	ID       string // of the payment; up to 25 letters and digits, "": none
}

// Text returns the text of the QR code.
func Text(c Charge) string {
	id := c.ID
	if id == "" {
		id = "***" // the manual's sign for a code without an id
	}
	account := field("00", "br.gov.bcb.pix", 99) + field("01", c.Key, 77)
	body := field("00", "01", 2) + field("26", account, 99) + field("52", "0000", 4) + field("53", c.Currency, 3)
	if c.Amount != "" && len(c.Amount) <= 13 { // an amount is never cut: its payer enters it
		body += field("54", c.Amount, 13)
	}
	body += field("58", "BR", 2) + field("59", c.Name, 25) + field("60", c.City, 15) +
		field("62", field("05", id, 25), 99)
	return withCRC(body)
}

// field is an id of two digits, the length of the value in two digits, and the value.
func field(id, value string, limit int) string {
	value = value[:min(len(value), limit)]
	return fmt.Sprintf("%s%02d%s", id, len(value), value)
}

// withCRC returns the fields of a QR code with the last one, the CRC of all that stands before its own value.
func withCRC(fields string) string {
	fields += "6304"
	return fmt.Sprintf("%s%04X", fields, crc(fields))
}

// crc is CRC-16/CCITT-FALSE: polynomial 1021, beginning with FFFF, neither reflected nor inverted.
func crc(text string) uint16 {
	sum := uint16(0xFFFF)
	for _, b := range []byte(text) {
		sum ^= uint16(b) << 8
		for range 8 {
			over := sum&0x8000 != 0
			sum <<= 1
			if over {
				sum ^= 0x1021
			}
		}
	}
	return sum
}
