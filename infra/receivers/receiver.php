<?php

// Receives callbacks of the checkout. Run: php -S 127.0.0.1:8080 receiver.php

function isSigned(string $body): bool
{
    $secret = base64_decode(preg_replace('/^whsec_/', '', getenv('CHECKOUT_CALLBACK_SECRET')));
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($secret === '' || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 5 * 60) {
        return false;
    }
    $want = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
        if (hash_equals($want, $one)) {
            return true;
        }
    }
    return false;
}

function hasHash(array $fields): bool
{
    $text = '';
    foreach (['id', 'order_number', 'order_amount', 'order_currency', 'order_description'] as $name) {
        $text .= $fields[$name] ?? '';
    }
    $upper = strtr($text . getenv('CHECKOUT_PASSWORD'), 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    return hash_equals(sha1(md5($upper)), $fields['hash'] ?? '');
}

// PHP forgets its variables after each request. A file that may not exist yet stands for the row of a table
// with webhook-id as its unique key, written in one transaction with the order.
function isNew(string $id): bool
{
    $file = sys_get_temp_dir() . '/callback-' . sha1($id);
    if (@fopen($file, 'x')) {
        return true;
    }
    if (!file_exists($file)) {
        throw new RuntimeException("can't write $file"); // status 500, and the callback comes again
    }
    return false;
}

function store(array $fields): void
{
    // Decimal text: compute with bcadd() and bccomp(), never with floats.
    $amount = $fields['transaction_amount'] ?? $fields['order_amount'] ?? '';
    // Update the order here; mail, stock and all that takes time come after the response.
    $line = [$fields['type'], $fields['status'], $fields['order_status'], $fields['order_number'], $amount];
    file_put_contents('php://stdout', implode(' ', $line) . "\n");
}

$body = file_get_contents('php://input');
if (!isSigned($body)) {
    http_response_code(400);
    exit;
}
$isJSON = str_starts_with($_SERVER['CONTENT_TYPE'] ?? '', 'application/json');
$fields = $isJSON ? json_decode($body, true) : $_POST;
if (!hasHash($fields)) {
    http_response_code(400);
    exit;
}
if (isNew($_SERVER['HTTP_WEBHOOK_ID'])) { // a repeat is done already
    store($fields);
}
