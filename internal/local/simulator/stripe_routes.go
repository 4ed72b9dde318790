package simulator

// The parameters of lists, of PaymentIntents and of how they are confirmed.
const (
	stripePages   = "limit starting_after ending_before created "
	stripeIntents = "amount currency customer description metadata payment_method payment_method_data " +
		"payment_method_options payment_method_types receipt_email setup_future_usage shipping " +
		"statement_descriptor statement_descriptor_suffix capture_method automatic_payment_methods "
	stripeConfirmations = "off_session return_url error_on_requires_action mandate_data use_stripe_sdk radar_options "
	stripePeople        = "name email phone metadata description address shipping payment_method invoice_settings " +
		"preferred_locales tax_exempt balance source "
)

// routes are all requests that the simulator plays.
func (p *stripe) routes() []stripeRoute { return append(p.moneyRoutes(), p.otherRoutes()...) }

// moneyRoutes are the requests about money.
func (p *stripe) moneyRoutes() []stripeRoute {
	const intent = "/v1/payment_intents/{id}"
	const confirmed = stripeConfirmations + "payment_method payment_method_data payment_method_options " +
		"payment_method_types receipt_email shipping setup_future_usage capture_method "
	return []stripeRoute{
		{"POST /v1/payment_intents", p.createIntent, "amount currency",
			stripeIntents + stripeConfirmations + "confirm confirmation_method"},
		{"GET /v1/payment_intents", p.listIntents, "", stripePages + "customer"},
		{"GET /v1/payment_intents/search", p.search, "query", "limit page"},
		{"GET " + intent, p.readIntent, "", "client_secret"},
		{"POST " + intent, p.updateIntent, "", stripeIntents},
		{"POST " + intent + "/confirm", p.confirmIntent, "", confirmed},
		{"POST " + intent + "/capture", p.captureIntent, "", "amount_to_capture final_capture metadata " +
			"statement_descriptor statement_descriptor_suffix"},
		{"POST " + intent + "/cancel", p.cancelIntent, "", "cancellation_reason"},

		{"GET /v1/charges", p.listCharges, "", stripePages + "customer payment_intent"},
		{"GET /v1/charges/{id}", p.readCharge, "", ""},
		{"POST /v1/refunds", p.createRefund, "", "payment_intent charge amount currency reason metadata"},
		{"GET /v1/refunds", p.listRefunds, "", stripePages + "payment_intent charge"},
		{"GET /v1/refunds/{id}", p.readRefund, "", ""},
		{"POST /v1/refunds/{id}", p.updateRefund, "", "metadata"},
		{"GET /v1/disputes", p.listDisputes, "", stripePages + "charge payment_intent"},
		{"POST /v1/disputes/{id}", p.updateDispute, "", "evidence metadata submit"},
		{"GET /v1/balance", p.readBalance, "", ""},
		{"GET /v1/balance_transactions", p.listTransactions, "", stripePages + "currency payout source type"},
		{"GET /v1/balance_transactions/{id}", p.readTransaction, "", ""},
	}
}

// otherRoutes are the requests about customers, their cards, and events.
func (p *stripe) otherRoutes() []stripeRoute {
	const customer, method = "/v1/customers/{id}", "/v1/payment_methods/{id}"
	return []stripeRoute{
		{"POST /v1/customers", p.createCustomer, "", stripePeople},
		{"GET /v1/customers", p.listThings("customer"), "", stripePages + "email"},
		{"GET /v1/customers/search", p.searchCustomers, "query", "limit page"},
		{"GET " + customer, p.readThing("customer", "id"), "", ""},
		{"POST " + customer, p.updateCustomer, "", stripePeople},
		{"DELETE " + customer, p.deleteThing("customer"), "", ""},
		{"GET " + customer + "/payment_methods", p.methodsOfCustomer, "", stripePages + "type allow_redisplay"},

		{"POST /v1/payment_methods", p.createMethod, "type",
			"card billing_details metadata allow_redisplay ip user_agent referrer"},
		{"GET /v1/payment_methods", p.listMethods, "", stripePages + "customer type allow_redisplay"},
		{"GET " + method, p.readMethod, "", ""},
		{"POST " + method + "/attach", p.attachMethod, "customer", ""},
		{"POST " + method + "/detach", p.detachMethod, "", ""},

		{"POST /v1/setup_intents", p.createSetup, "", "automatic_payment_methods confirm customer description metadata " +
			"payment_method payment_method_data payment_method_types usage return_url"},
		{"GET /v1/setup_intents/{id}", p.readThing("setup_intent", "intent"), "", "client_secret"},

		{"GET /v1/events", p.listEvents, "", stripePages + "type types delivery_success"},
		{"GET /v1/events/{id}", p.readEvent, "", ""},
		{"POST /v1/webhook_endpoints", p.createEndpoint, "url enabled_events[0]", "description api_version metadata"},
		{"GET /v1/webhook_endpoints", p.listThings("webhook_endpoint"), "", stripePages},
		{"DELETE /v1/webhook_endpoints/{id}", p.deleteThing("webhook_endpoint"), "", ""},
		{"GET /v1/account", readAccount, "", ""},
	}
}
