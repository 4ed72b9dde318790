package settings

import "fmt"

// Place is where a secret stands in a merchant's settings.
type Place struct {
	Mapping, MID string // whose setting it is; "": the merchant's own
	Setting      string // such as credentials.secret
}

// String returns the place in words: mappings[default].mids[card].credentials.secret.
func (p Place) String() string {
	if p.MID == "" {
		return p.Setting
	}
	return p.Owner() + "." + p.Setting
}

// Owner returns the mapping or the MID of the place in words: mappings[default].mids[card].
func (p Place) Owner() string {
	if p.MID == "" {
		return "mappings[" + p.Mapping + "]"
	}
	return "mappings[" + p.Mapping + "].mids[" + p.MID + "]"
}

// Places says where a secret is stored.
type Places map[Place]bool

// Paths returns the places as the paths of faults, which number mappings and MIDs.
func (all Places) Paths(m Merchant) map[string]bool {
	numbered := map[Place]string{}
	for i, mapping := range m.Mappings {
		for j, mid := range mapping.MIDs {
			numbered[Place{mapping.Name, mid.Name, ""}] = fmt.Sprintf("mappings[%d].mids[%d].", i, j)
		}
	}
	paths := map[string]bool{}
	for place, stored := range all {
		paths[numbered[Place{place.Mapping, place.MID, ""}]+place.Setting] = stored
	}
	return paths
}
