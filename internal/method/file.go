package method

// Files returns the names of the method's rows with files.
func (m Method) Files() (names []string) {
	for i := range m.Sets {
		for _, row := range m.Sets[i].Rows {
			if row.File {
				names = append(names, row.Name)
			}
		}
	}
	return names
}
