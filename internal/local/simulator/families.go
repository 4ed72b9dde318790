package simulator

// families returns the providers, each in a file of its own. It is no variable, because the providers' functions lead
// back to it.
func families() []family {
	return []family{
		{name: "adapter", routes: adapterRoutes, notice: adapterNotice, spoil: spoilAdapterNotice},
		{name: "brandcard", routes: brandRoutes, notice: hintNotice},
		{name: "cash", routes: cashRoutes, notice: hintNotice},
		{name: "collection", routes: collectionRoutes, notice: collectionNotice, spoil: spoilHexSignature},
		{name: "mobilemoney", routes: mobileMoneyRoutes, notice: mobileMoneyNotice, spoil: spoilHexSignature},
		{name: "voucher", routes: voucherRoutes, notice: hintNotice},
		{name: "walletapp", routes: walletRoutes, notice: walletNotice, spoil: spoilWalletNotice},
		stripeFamily(),
	}
}
