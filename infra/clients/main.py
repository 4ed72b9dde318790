"""Creates a session, which a test pays at once with the card of the header, and reads its payment, all with the generated
client: main.py URL NUMBER HASH HASH, the hashes of the two requests. It prints the session's redirect_url, and of the
payment its status, order and first transaction."""

import sys

from checkout import Client
from checkout.api.merchant import create_session, payment_status
from checkout.models import (
    Order,
    Payment,
    SessionRequest,
    SessionRequestOperation,
    SessionResponse,
    Status,
    StatusByOrder,
)


def main(url: str, number: str, session_hash: str, status_hash: str) -> None:
    client = Client(base_url=url, headers={"Test-Card": "01/38"}, raise_on_unexpected_status=True)
    request = SessionRequest(
        merchant_key="demo-test",
        operation=SessionRequestOperation.PURCHASE,
        success_url="https://shop.example/paid",
        hash_=session_hash,
        order=Order(number=number, amount="10.00", currency="USD", description="A gift"),
    )
    session = create_session.sync(client=client, body=request)
    if not isinstance(session, SessionResponse):
        raise SystemExit(f"session: {session}")
    print(session.redirect_url)

    query = StatusByOrder(merchant_key="demo-test", order_id=number, hash_=status_hash)
    payment = payment_status.sync(client=client, body=query)
    if not isinstance(payment, Payment) or payment.status is not Status.SETTLED:
        raise SystemExit(f"status: {payment}")
    if not payment.transactions or not payment.customer:
        raise SystemExit(f"status: {payment}")
    first = payment.transactions[0]
    print(payment.status, payment.order.number, first.type_, first.status, first.amount)


main(*sys.argv[1:])
