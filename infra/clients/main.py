"""Creates a session, which a test pays at once with the card of the header, reads its payment and refunds a part, all with
the client that openapi-python-client makes: main.py URL NUMBER PASSWORD. It prints the session's redirect_url, of the
payment its status, order and first transaction, and what became of the refund."""

import sys
from hashlib import md5, sha1

from checkout import Client
from checkout.api.merchant import create_session, payment_status, refund_payment
from checkout.models import (
    Accepted,
    AmountRequest,
    Order,
    Payment,
    SessionRequest,
    SessionRequestOperation,
    SessionResult,
    StatusRequest,
)


def sign(text: str) -> str:
    return sha1(md5(text.upper().encode()).hexdigest().encode()).hexdigest()


def main(url: str, number: str, password: str) -> None:
    client = Client(base_url=url, headers={"Test-Card": "01/38"}, raise_on_unexpected_status=True)
    request = SessionRequest(
        merchant_key="demo-test",
        operation=SessionRequestOperation.PURCHASE,
        success_url="https://shop.example/paid",
        order=Order(number=number, amount="10.00", currency="USD", description="A gift"),
        hash_=sign(number + "10.00" + "USD" + "A gift" + password),
    )
    session = create_session.sync(client=client, body=request)
    if not isinstance(session, SessionResult):
        raise SystemExit(f"session: {session}")
    print(session.redirect_url)

    query = StatusRequest(merchant_key="demo-test", order_id=number, hash_=sign(number + password))
    payment = payment_status.sync(client=client, body=query)
    if not isinstance(payment, Payment) or not payment.transactions:
        raise SystemExit(f"status: {payment}")
    first = payment.transactions[0]
    print(payment.status, payment.order.number, first.type_, first.status, first.amount)

    part = AmountRequest(
        merchant_key="demo-test",
        payment_id=payment.payment_id,
        amount="4.00",
        hash_=sign(f"{payment.payment_id}4.00{password}"),
    )
    refund = refund_payment.sync(client=client, body=part, idempotency_key=f"refund-{number}")
    if not isinstance(refund, Accepted):
        raise SystemExit(f"refund: {refund}")
    print(refund.result)


main(*sys.argv[1:])
