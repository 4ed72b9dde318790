package checkout

// rank orders the payments of an order by how much they say about it.
type rank int

// The ranks, the least first.
const (
	rankDeclined  rank = iota + 1
	rankUnderWay       // nobody has paid yet
	rankGivenBack      // was paid once: refunded, voided, charged back or reversed
	rankPaid           // authorised or settled
)

func (p *Payment) rank() rank {
	switch {
	case p.Status == StatusDecline:
		return rankDeclined
	case p.Charge() != nil: // undecided, also where the payer was shown what to pay with and status is pending
		return rankUnderWay
	case p.Status == StatusPending, p.Status == StatusSettled:
		return rankPaid
	}
	return rankGivenBack
}
