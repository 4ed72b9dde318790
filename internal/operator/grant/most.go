package grant

// Rights are all rights.
var Rights = []Right{
	Find, Callbacks, LookUp, Money, Settle, Sums, Circuits, Settings, Publish, Operators, OwnAudit, AllAudit, Notes,
	EndSession, Blocks,
}

// String returns "", masked or full.
func (l Level) String() string { return [...]string{"", "masked", "full"}[l] }

// Most is how far a right of the person goes at most for live or for test payments of any merchant.
func (p Person) Most(right Right, test bool) Level {
	mode, other := 0, Test
	if test {
		mode, other = 1, Live
	}
	most := None
	for _, g := range p.Grants {
		if g.Mode != other {
			most = max(most, rights[right][g.Role][mode])
		}
	}
	return most
}
