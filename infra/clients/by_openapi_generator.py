"""Creates a session, which a test pays at once with the card of the header, reads its payment and refunds a part, all with
the client that OpenAPI Generator makes: by_openapi_generator.py URL NUMBER PASSWORD. It prints the session's redirect_url,
of the payment its status, order and first transaction, and what became of the refund."""

import sys
from hashlib import md5, sha1
from uuid import UUID

from checkout import AmountRequest, ApiClient, Configuration, Order, SessionRequest, StatusRequest
from checkout.api import MerchantApi


def sign(text: str) -> str:
    return sha1(md5(text.upper().encode()).hexdigest().encode()).hexdigest()


def main(url: str, number: str, password: str) -> None:
    client = ApiClient(Configuration(host=url), header_name="Test-Card", header_value="01/38")
    api = MerchantApi(client)
    request = SessionRequest(
        merchant_key="demo-test",
        operation="purchase",
        success_url="https://shop.example/paid",
        order=Order(number=number, amount="10.00", currency="USD", description="A gift"),
        hash=sign(number + "10.00" + "USD" + "A gift" + password),
    )
    print(api.create_session(request).redirect_url)

    query = StatusRequest(merchant_key="demo-test", order_id=number, hash=sign(number + password))
    payment = api.payment_status(query)
    assert payment.transactions
    first = payment.transactions[0]
    print(payment.status, payment.order.number, first.type, first.status, first.amount)

    part = AmountRequest(
        merchant_key="demo-test",
        payment_id=UUID(str(payment.payment_id)),
        amount="4.00",
        hash=sign(f"{payment.payment_id}4.00{password}"),
    )
    print(api.refund_payment(part, f"refund-{number}").result)


main(*sys.argv[1:])
