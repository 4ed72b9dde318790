package wallet

// maxBER is how deep elements of a signature are in one another. The wallet's are nine deep.
const maxBER = 16

// toDER writes one element of BER in DER, where each element has its length before it. Elements that end behind the one
// that they are in are refused: the package pkcs7 reads such bytes again and again, and 200 of them take it minutes.
func toDER(ber []byte) ([]byte, error) {
	der, rest, err := appendDER(nil, ber, 0)
	if err != nil || len(rest) != 0 {
		return nil, ErrMalformed
	}
	return der, nil
}

// appendDER appends the first element of some, and returns those behind it.
func appendDER(der, ber []byte, depth int) (_, rest []byte, err error) {
	const constructed, longTag, indefinite = 0x20, 0x1f, 0x80
	if len(ber) < 2 || ber[0]&longTag == longTag || depth == maxBER {
		return nil, nil, ErrMalformed
	}
	tag, value, ok := ber[0], ber[2:], true
	switch length := ber[1]; {
	case length != indefinite:
		value, rest, ok = cutLength(ber[1:])
	case tag&constructed == 0:
		ok = false
	}
	if !ok {
		return nil, nil, ErrMalformed
	}
	if tag&constructed == 0 {
		return append(appendHead(der, tag, len(value)), value...), rest, nil
	}
	var inner []byte
	for ends := ber[1] == indefinite; ends || len(value) > 0; {
		if ends && len(value) > 1 && value[0] == 0 && value[1] == 0 {
			rest = value[2:]
			break
		}
		if inner, value, err = appendDER(inner, value, depth+1); err != nil {
			return nil, nil, err
		}
	}
	return append(appendHead(der, tag, len(inner)), inner...), rest, nil
}

// cutLength reads a length and as many bytes behind it.
func cutLength(ber []byte) (value, rest []byte, ok bool) {
	length, ber := int(ber[0]), ber[1:]
	if length > 0x7f {
		bytes := length & 0x7f
		if bytes > 2 || bytes > len(ber) { // a token has fewer than 64 KiB
			return nil, nil, false
		}
		length = 0
		for _, b := range ber[:bytes] {
			length = length<<8 | int(b)
		}
		ber = ber[bytes:]
	}
	if length > len(ber) {
		return nil, nil, false
	}
	return ber[:length], ber[length:], true
}

// appendHead appends a tag and a length of less than 64 KiB.
func appendHead(der []byte, tag byte, length int) []byte {
	switch {
	case length > 0xff:
		return append(der, tag, 0x82, byte(length>>8), byte(length))
	case length > 0x7f:
		return append(der, tag, 0x81, byte(length))
	}
	return append(der, tag, byte(length))
}
