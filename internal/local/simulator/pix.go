package simulator

import "fmt"

// pixText is the text of a static PIX code (Manual do BR Code, an EMVCo merchant-presented code) of a key that is
// nobody's: its domain is reserved.
func pixText(o Operation) string {
	account := pixField("00", "br.gov.bcb.pix") + pixField("01", "nobody@simulator.example")
	text := pixField("00", "01") + pixField("26", account) + pixField("52", "0000") +
		pixField("53", o.Amount.Currency().Numeric) + pixField("54", o.Amount.String()) + pixField("58", "BR") +
		pixField("59", "Simulator no real account") + pixField("60", "Nowhere") +
		pixField("62", pixField("05", o.ID)) + "6304"
	return text + pixHex(text)
}

func pixHex(text string) string { return fmt.Sprintf("%04X", pixCRC(text)) }

// pixField is an id, the length of the value in two digits, and the value.
func pixField(id, value string) string { return fmt.Sprintf("%s%02d%s", id, len(value), value) }

// pixCRC is CRC-16/CCITT-FALSE.
func pixCRC(text string) uint16 {
	sum := uint16(0xFFFF)
	for _, b := range []byte(text) {
		sum ^= uint16(b) << 8
		for range 8 {
			if carry := sum & 0x8000; carry != 0 {
				sum = sum<<1 ^ 0x1021
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}
