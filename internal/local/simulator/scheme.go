package simulator

import (
	"fmt"
	"hash/crc32"
)

// succeeded reports whether an operation was ever approved.
func (o Operation) succeeded() bool {
	return o.State != Waiting && o.State != Declined && o.State != Expired
}

// networkID is the card scheme's id of a charge, in the form of Mastercard's: "" until it is approved.
func (o Operation) networkID() string {
	if !o.succeeded() {
		return ""
	}
	return fmt.Sprintf("MCC%06d0102", crc32.ChecksumIEEE([]byte(o.ID))%1_000_000)
}

// authenticated reports whether the payer of a charge passed 3-D Secure.
func (o Operation) authenticated() bool { return o.Step == Step3DS && o.succeeded() }

// dsID is the directory server's id of an authentication.
func dsID(o Operation) string {
	return fmt.Sprintf("0d5c0000-0000-4000-8000-%012x", crc32.ChecksumIEEE([]byte(o.ID)))
}
