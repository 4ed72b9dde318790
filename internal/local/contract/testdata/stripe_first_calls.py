"""The usual first calls of Stripe's own Python library, each compared with what Stripe responds. Prints what differs.

    python stripe_first_calls.py http://localhost:4000/stripe simulator-key
"""

import sys
import uuid

import stripe

stripe.api_base, stripe.api_key = sys.argv[1], sys.argv[2] + "_" + uuid.uuid4().hex
stripe.max_network_retries = 0
CARDS = {"enabled": True, "allow_redirects": "never"}
calls, wrong = 0, []


def check(what, call, /, **want):
    """Calls, and compares the members of the response by their paths; a list's length is len."""
    global calls
    calls += 1
    try:
        got = call()
    except Exception as e:  # whatever the library raises
        wrong.append(f"{what}: {type(e).__name__}: {e}")
        return None
    for path, value in want.items():
        at = got
        for part in path.split("__"):
            at = at[int(part)] if part.isdigit() else len(at) if part == "len" else at[part]
        if at != value:
            wrong.append(f"{what}: {path} is {at!r}, not {value!r}")
    return got


def refused(what, kind, call, /, **want):
    """Calls, and compares the error."""
    global calls
    calls += 1
    try:
        call()
        wrong.append(f"{what}: it was taken")
    except kind as e:
        for member, value in want.items():
            got = getattr(e, member, None) if member in ("http_status", "code", "param") else getattr(e.error, member, None)
            if got != value:
                wrong.append(f"{what}: {member} is {got!r}, not {value!r}")
        if not e.request_id:
            wrong.append(f"{what}: no request id")
        return e
    except Exception as e:
        wrong.append(f"{what}: {type(e).__name__}: {e}")
    return None


def pay(card="pm_card_visa", **more):
    more = {"amount": 2000, "currency": "usd", "confirm": True, "automatic_payment_methods": CARDS, **more}
    return stripe.PaymentIntent.create(payment_method=card, **more)


# PaymentIntents
paid = check("confirm at once", pay, status="succeeded", amount_received=2000, next_action=None)
plain = check("create", lambda: stripe.PaymentIntent.create(
    amount=1099, currency="eur", automatic_payment_methods={"enabled": True}, metadata={"order": "6735"}),
    status="requires_payment_method", automatic_payment_methods__enabled=True, metadata__order="6735")
check("retrieve", lambda: stripe.PaymentIntent.retrieve(plain.id), id=plain.id, latest_charge=None)
check("modify", lambda: stripe.PaymentIntent.modify(plain.id, metadata={"order": "1"}, amount=1200),
      amount=1200, metadata__order="1")
check("confirm", lambda: stripe.PaymentIntent.confirm(
    plain.id, payment_method="pm_card_visa", return_url="https://shop.example"), status="succeeded")
check("expand", lambda: stripe.PaymentIntent.retrieve(paid.id, expand=["latest_charge.balance_transaction"]),
      latest_charge__object="charge", latest_charge__balance_transaction__amount=2000)
held = check("hold", lambda: pay(capture_method="manual"), status="requires_capture", amount_capturable=2000)
check("capture a part", lambda: stripe.PaymentIntent.capture(held.id, amount_to_capture=750),
      status="succeeded", amount_received=750)
left = check("cancel", lambda: stripe.PaymentIntent.cancel(stripe.PaymentIntent.create(
    amount=500, currency="usd").id, cancellation_reason="abandoned"),
    status="canceled", cancellation_reason="abandoned")
check("list", lambda: stripe.PaymentIntent.list(limit=2), has_more=True, data__len=2, object="list")
check("all pages", lambda: list(stripe.PaymentIntent.list(limit=1).auto_paging_iter()), len=4)
check("list with expansion", lambda: stripe.PaymentIntent.list(limit=1, expand=["data.latest_charge"]), data__len=1)
check("search", lambda: stripe.PaymentIntent.search(query="status:'succeeded' AND metadata['order']:'1'"), data__len=1)
secure = check("3-D Secure", lambda: pay("pm_card_threeDSecure2Required"),
               status="requires_action", next_action__type="use_stripe_sdk")
away = check("3-D Secure with a page", lambda: pay(
    "pm_card_threeDSecureRequired", automatic_payment_methods={"enabled": True}, return_url="https://shop.example"),
    status="requires_action", next_action__type="redirect_to_url")
check("raw card data", lambda: stripe.PaymentIntent.create(
    amount=900 * 100, currency="usd", confirm=True, payment_method_types=["card"], payment_method_data={
        "type": "card", "card": {"number": "4242424242424242", "exp_month": 12, "exp_year": 2034, "cvc": "123"},
        "billing_details": {"name": "Jenny Rosen"}}), status="succeeded")

# customers and payment methods
jenny = check("customer", lambda: stripe.Customer.create(name="Jenny Rosen", email="jenny@example.com"),
              object="customer", name="Jenny Rosen", livemode=False)
check("customer again", lambda: stripe.Customer.retrieve(jenny.id), email="jenny@example.com")
check("customer changed", lambda: stripe.Customer.modify(jenny.id, metadata={"order_id": "6735"}, phone="+1555"),
      metadata__order_id="6735", phone="+1555")
check("customers", lambda: stripe.Customer.list(limit=3, email="jenny@example.com"), data__len=1)
check("customers searched", lambda: stripe.Customer.search(query="email:'jenny@example.com'"), data__len=1)
method = check("payment method", lambda: stripe.PaymentMethod.create(type="card", card={
    "number": "5555555555554444", "exp_month": 8, "exp_year": 2034, "cvc": "314"}), card__brand="mastercard",
    card__last4="4444", customer=None)
check("of a token", lambda: stripe.PaymentMethod.create(type="card", card={"token": "tok_visa"}), card__last4="4242")
check("payment method again", lambda: stripe.PaymentMethod.retrieve(method.id), id=method.id)
check("attach", lambda: stripe.PaymentMethod.attach(method.id, customer=jenny.id), customer=jenny.id)
check("attach a test one", lambda: stripe.PaymentMethod.attach("pm_card_visa", customer=jenny.id), customer=jenny.id)
check("payment methods", lambda: stripe.PaymentMethod.list(customer=jenny.id, type="card"), data__len=2)
check("of the customer", lambda: stripe.Customer.list_payment_methods(jenny.id), data__len=2)
check("saved card", lambda: pay(method.id, customer=jenny.id, off_session=True), status="succeeded", customer=jenny.id)
check("expanded customer", lambda: stripe.PaymentIntent.list(customer=jenny.id, expand=["data.customer"]),
      data__0__customer__name="Jenny Rosen")
check("detach", lambda: stripe.PaymentMethod.detach(method.id), customer=None)
setup = check("setup", lambda: stripe.SetupIntent.create(
    customer=jenny.id, payment_method="pm_card_visa", confirm=True, automatic_payment_methods=CARDS), status="succeeded")
check("setup again", lambda: stripe.SetupIntent.retrieve(setup.id), status="succeeded", usage="off_session")
check("deleted", lambda: stripe.Customer.delete(jenny.id), deleted=True)
check("deleted is there", lambda: stripe.Customer.retrieve(jenny.id), deleted=True)

# charges, refunds, balance
check("charge", lambda: stripe.Charge.retrieve(paid.latest_charge), paid=True, captured=True, amount=2000,
      payment_intent=paid.id, payment_method_details__card__last4="4242")
check("charges", lambda: stripe.Charge.list(limit=3, payment_intent=paid.id), data__len=1)
part = check("refund a part", lambda: stripe.Refund.create(payment_intent=paid.id, amount=500, metadata={"key": "v"}),
             status="succeeded", amount=500, charge=paid.latest_charge, metadata__key="v")
check("refund the rest of a charge", lambda: stripe.Refund.create(charge=paid.latest_charge), amount=1500)
check("refund again", lambda: stripe.Refund.retrieve(part.id), id=part.id, object="refund")
check("refund changed", lambda: stripe.Refund.modify(part.id, metadata={"a": "b"}), metadata__a="b", metadata__key="v")
check("refunds", lambda: stripe.Refund.list(payment_intent=paid.id, limit=1), data__len=1, has_more=True)
check("refunded", lambda: stripe.Charge.retrieve(paid.latest_charge), refunded=True, amount_refunded=2000)
check("balance", stripe.Balance.retrieve, object="balance", available__0__currency="eur")
check("balance transactions", lambda: stripe.BalanceTransaction.list(type="refund"), data__len=2)
check("balance transaction", lambda: stripe.BalanceTransaction.retrieve(
    stripe.BalanceTransaction.list(limit=1).data[0].id), object="balance_transaction")
check("no disputes", lambda: stripe.Dispute.list(limit=3), data__len=0, has_more=False)

# events
check("events", lambda: stripe.Event.list(limit=3), data__len=3, data__0__object="event")
succeeded = check("events of a type", lambda: stripe.Event.list(type="payment_intent.succeeded"),
                  data__0__data__object__object="payment_intent")
check("event", lambda: stripe.Event.retrieve(succeeded.data[0].id), type="payment_intent.succeeded")
hook = check("endpoint", lambda: stripe.WebhookEndpoint.create(
    url="https://shop.example/hook", enabled_events=["charge.failed"]), status="enabled", enabled_events__0="charge.failed")
check("endpoints", lambda: stripe.WebhookEndpoint.list(limit=3), data__len=1)
check("endpoint deleted", lambda: stripe.WebhookEndpoint.delete(hook.id), deleted=True)
check("account", stripe.Account.retrieve, object="account")

# errors
CARD, INVALID = stripe.CardError, stripe.InvalidRequestError
for card, code, decline in [
    ("pm_card_chargeDeclined", "card_declined", "generic_decline"),
    ("pm_card_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"),
    ("pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card"),
    ("pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc"),
    ("pm_card_chargeDeclinedProcessingError", "processing_error", "processing_error"),
]:
    refused(card, CARD, lambda: pay(card), http_status=402, code=code, decline_code=decline, type="card_error")
declined = refused("declined", CARD, lambda: pay("pm_card_visa_chargeDeclined"), message="Your card was declined.")
again = declined and declined.error.payment_intent.id
check("with another card", lambda: stripe.PaymentIntent.confirm(again, payment_method="pm_card_visa"),
      status="succeeded")
refused("too small", INVALID, lambda: pay(amount=49), http_status=400, code="amount_too_small", param="amount")
refused("no amount", INVALID, lambda: stripe.PaymentIntent.create(currency="usd"),
        http_status=400, code="parameter_missing", param="amount")
refused("no currency", INVALID, lambda: stripe.PaymentIntent.create(amount=2000, currency="xxx1"), param="currency")
refused("unknown parameter", INVALID, lambda: stripe.PaymentIntent.create(amount=2000, currency="usd", colour="red"),
        code="parameter_unknown", param="colour")
refused("unknown id", INVALID, lambda: stripe.PaymentIntent.retrieve("pi_1"), http_status=404, code="resource_missing",
        param="intent", message="No such payment_intent: 'pi_1'")
refused("unknown method", INVALID, lambda: pay("pm_1"), http_status=400, code="resource_missing", param="payment_method")
refused("no page to return to", INVALID, lambda: pay(automatic_payment_methods={"enabled": True}), http_status=400)
refused("captured twice", INVALID, lambda: stripe.PaymentIntent.capture(held.id), http_status=400,
        code="payment_intent_unexpected_state")
refused("cancelled too late", INVALID, lambda: stripe.PaymentIntent.cancel(paid.id),
        code="payment_intent_unexpected_state")
refused("refunded too often", INVALID, lambda: stripe.Refund.create(payment_intent=paid.id), http_status=400,
        code="charge_already_refunded")
refused("refunded too much", INVALID, lambda: stripe.Refund.create(payment_intent=held.id, amount=751), http_status=400,
        param="amount")
refused("wrong key", stripe.AuthenticationError, lambda: stripe.Balance.retrieve(api_key="wrong_key"), http_status=401)
refused("wrong limit", INVALID, lambda: stripe.Charge.list(limit=101), http_status=400, param="limit")
refused("wrong expansion", INVALID, lambda: stripe.PaymentIntent.retrieve(paid.id, expand=["colour"]), http_status=400)
key = uuid.uuid4().hex
first = check("with a key", lambda: pay(idempotency_key=key), status="succeeded")
check("with the same key", lambda: pay(idempotency_key=key), id=first.id)
refused("with the key of another request", stripe.IdempotencyError, lambda: pay(amount=3000, idempotency_key=key),
        http_status=400, type="idempotency_error")
refused("unknown path", INVALID, lambda: stripe.Coupon.list(), http_status=404)

print(f"{calls - len({w.split(':')[0] for w in wrong})} of {calls} calls are as at Stripe")
sys.exit("\n".join(wrong) if wrong else 0)
