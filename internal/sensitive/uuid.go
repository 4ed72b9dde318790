package sensitive

// uuidForm is the form of a UUID (RFC 9562), the id that most programs make. Its digits are random: some of them look
// like the number of a card, and its groups like a security code.
var uuidForm = expression(
	`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}\b`)

// betweenUUIDs returns a text whose parts outside of UUIDs are changed by f.
func betweenUUIDs(text string, f func(part string) string) string {
	changed, end := "", 0
	for _, at := range uuidForm().FindAllStringIndex(text, -1) {
		changed += f(text[end:at[0]]) + text[at[0]:at[1]]
		end = at[1]
	}
	return changed + f(text[end:])
}

// withoutUUIDs returns a text with a word in place of each UUID.
func withoutUUIDs(text string) string { return uuidForm().ReplaceAllLiteralString(text, "uuid") }

// outsideUUIDs returns those of the spans that are not inside of a UUID of the text.
func outsideUUIDs(text string, spans [][2]int) (outside [][2]int) {
	ids := uuidForm().FindAllStringIndex(text, -1)
	for _, span := range spans {
		inside := false
		for _, id := range ids {
			inside = inside || id[0] <= span[0] && span[1] <= id[1]
		}
		if !inside {
			outside = append(outside, span)
		}
	}
	return outside
}
