<?php
// Creates a session, which a test pays at once with the card of the header, reads its payment and refunds a part, all with
// the client that OpenAPI Generator makes: main.php URL NUMBER PASSWORD. It prints the session's redirect_url, of the
// payment its status, order and first transaction, and what became of the refund.

use Checkout\Api\MerchantApi;
use Checkout\Configuration;
use Checkout\Model\AmountRequest;
use Checkout\Model\Order;
use Checkout\Model\SessionRequest;
use Checkout\Model\StatusRequest;

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/checkout/lib/' . strtr(substr($class, strlen('Checkout\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Checkout\\') && is_file($file)) {
        require $file;
    }
});

[, $url, $number, $password] = $argv;
$sign = fn (string $text): string => sha1(md5(strtoupper($text)));
$api = new MerchantApi(
    new GuzzleHttp\Client(['headers' => ['Test-Card' => '01/38']]),
    (new Configuration())->setHost($url),
);

$session = $api->createSession(new SessionRequest([
    'merchant_key' => 'demo-test',
    'operation' => SessionRequest::OPERATION_PURCHASE,
    'success_url' => 'https://shop.example/paid',
    'order' => new Order(['number' => $number, 'amount' => '10.00', 'currency' => 'USD', 'description' => 'A gift']),
    'hash' => $sign($number . '10.00' . 'USD' . 'A gift' . $password),
]));
echo $session->getRedirectUrl(), "\n";

$payment = $api->paymentStatus(new StatusRequest([
    'merchant_key' => 'demo-test',
    'order_id' => $number,
    'hash' => $sign($number . $password),
]));
$first = $payment->getTransactions()[0];
echo implode(' ', [
    $payment->getStatus(), $payment->getOrder()->getNumber(), $first->getType(), $first->getStatus(), $first->getAmount(),
]), "\n";

$refund = $api->refundPayment(new AmountRequest([
    'merchant_key' => 'demo-test',
    'payment_id' => $payment->getPaymentId(),
    'amount' => '4.00',
    'hash' => $sign($payment->getPaymentId() . '4.00' . $password),
]), 'refund-' . $number);
echo $refund->getResult(), "\n";
