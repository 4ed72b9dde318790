package worker

import (
	"cmp"
	"context"
	"errors"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// execution is a task while a worker executes it, with what is sent to which connector.
type execution struct {
	core      *checkout.Core
	runner    *Runner
	task      checkout.Task
	merchant  *settings.Merchant // nil if there is none any more
	sealed    *card.Sealed       // the sealed card, if it was read
	connector connector.Connector
	charge    connector.Charge // of other jobs than a charge only its ProviderRequest
	wallet    walletAt         // of a charge with a wallet's token: how its MID takes that
	continues bool             // call Continue with the second form
	probe     bool             // the result of the charge closes or opens the circuit breaker of its MID
	apart     bool             // it came through the queue for slow providers
	hasPlace  bool             // it stays in the queue through which it came
}

// taskWithCard reads the task of a message with its sealed card, if there may be one: it is deleted before the charge
// goes to another MID, which has another reference.
func (s *Runner) taskWithCard(ctx context.Context, now time.Time, message payment.JobMessage) (execution, error) {
	read, more, err := s.core.ReadTask(ctx, now, message, func(m payment.JobMessage) []store.Key {
		if m.Reference != "" && m.Reference != m.PaymentID {
			return nil
		}
		return []store.Key{store.SealedCardKey(m.PaymentID)}
	})
	t := execution{core: s.core, runner: s, task: read}
	if err != nil || len(more) == 0 || more[0].Version == 0 {
		return t, err
	}
	t.sealed = &card.Sealed{}
	return t, more[0].Decode(t.sealed)
}

// The parts of an execution, each with what it uses of it as it is now.

func (x execution) cards() cards {
	return cards{x.core, x.runner.Vault, x.runner.Wallets, &x.runner.keys, x.task, x.sealed, x.wallet}
}

func (x execution) breaker() breaker { return breaker{x.core, x.task} }

func (x execution) query() query {
	return query{x.core, x.task, x.connector, x.charge, x.runner.ProviderTimeout, x.apart}
}

func (x execution) recorder() recorder {
	return recorder{x.core, &x.runner.results, x.runner.jobs, x.task, x.connector, x.charge}
}

// report is what the provider says of the task.
func (x execution) report() report { return report{x.core, x.task, x.charge} }

// errChanged means that another worker changed the payment before the request was sent.
var errChanged = errors.New("the payment has changed")

// setCard adds a decrypted card or token to the charge, and what is stored of it to the payment. nil is none.
func (x *execution) setCard(c *payment.DecryptedCard) {
	if c == nil {
		return
	}
	x.charge.Card, x.charge.CardName = c.Card, cmp.Or(x.charge.CardName, c.Holder)
	if c.Wallet != nil {
		x.charge.Wallet = c.Wallet
	}
	x.task.Payment.SetCard(*c)
}
