package browser

// refundList refunds all payments that a filter chooses. The page is loaded again while the outcome of one is not
// known, and goes on; each is refunded once.
func refundList(a *adminVisit) {
	amount, sum := "7.31", "21.93" // of this person alone
	if a.hand.keyboard {
		amount, sum = "7.32", "21.96"
	}
	of := object{"order": object{"amount": amount}}
	var paid []sold
	for range 3 {
		paid = append(paid, a.run.pay(a.t, pensKey, "01/38", of))
	}
	a.run.pay(a.t, pensKey, "02/38", of) // is declined
	a.view("payments")
	a.until("!" + control("Refund these payments")) // nothing is chosen
	a.view("payments?amount=" + amount)
	a.hand.press(a, control("Refund these payments"))
	a.shows(".totals td", sum)
	a.shows(".totals li", "1 payment: Declined: only what is paid can be refunded.")
	const begin = "document.querySelector('.refunds button.danger')"
	a.hand.press(a, begin)
	a.shows(".totals .wrong", "Say why")
	a.hand.write(a, "document.querySelector('.refunds [name=reason]')", "the concert is cancelled")
	// The response to the second one never comes.
	get[bool](a.tab, `(() => {
		const fetched = window.fetch;
		let posts = 0;
		window.fetch = async (...args) => {
			const response = await fetched(...args);
			return args[1]?.method == "POST" && ++posts == 2 ? new Promise(() => { window.hangs = true; }) : response;
		};
		return true;
	})()`)
	a.hand.press(a, begin)
	a.until("window.hangs")
	a.shows(".totals [role=status]", "1 of 3 payments done")
	a.view(get[string](a.tab, "location.hash.slice(2)"))
	a.shows(".totals [role=status]", "Stopped after 1 of 3 payments. Continue: none is refunded twice.")
	a.shows(".totals td", "Not tried")
	a.hand.press(a, control("Continue"))
	a.shows(".totals [role=status]", "All 3 payments are done.")
	a.shows(".totals td", sum)
	a.shows(".totals td", "Nothing is left to refund.")
	for _, one := range paid {
		eventually(a.t, func() bool { return a.run.pens.callbacks(one.Order, "refund") > 0 },
			func() string { return "no callback of the refund" })
		if n := a.run.pens.callbacks(one.Order, "refund"); n != 1 {
			a.t.Errorf("%d refunds", n)
		}
	}
	a.checkWidth("refunds of a list")
	a.hand.press(a, control("Close"))
	a.until("!document.querySelector('.totals')")
}
