// What a shop needs to speak to the service: the address, the keys, and a first request.

import { Copy, Failure } from "../parts";
import { useRead } from "../world";
import { example, type Offer } from "./offer";
import { textOf, type Obj } from "./rows";

interface Props {
  id: string;
  keys: Obj; // with the settings live_key, test_key and sha256, and the secrets that have just been made
}

const later = "is shown once, when it is made: replace it under Secrets to get another one";

export function Integrate({ id, keys }: Props) {
  const offer = useRead<Offer>("/offer", example(id));
  if (offer.failure) return <Failure failure={offer.failure} again={offer.again} />;
  const base = offer.value?.base_url ?? "";
  const { password, callback_secret } = keys;
  const known = { checkout_address: base, test_key: keys.test_key, live_key: keys.live_key, password, callback_secret };
  const file = JSON.stringify({ merchant: id, ...known }, null, 2) + "\n";
  return (
    <>
      <p>A plugin asks for these in its settings. Begin with the test key in the place of the merchant key.</p>
      <dl class="known">
        {Object.entries(known).map(([name, text]) => (
          <div key={name}>
            <dt>{labels[name]}</dt>
            <dd>{text ? <Copy text={textOf(text)} name={labels[name]!} /> : later}</dd>
          </div>
        ))}
      </dl>
      {base && textOf(password) && (
        <p>
          <a class="button" download={id + "-keys.json"} href={"data:application/json," + encodeURIComponent(file)}>
            Save them as a file for the shop
          </a>
        </p>
      )}
      {base && (
        <details>
          <summary>A first request, for a program of your own</summary>
          <pre class="snippet">
            {request(base, textOf(keys.test_key), textOf(password) || "PASSWORD", keys.sha256 === true)}
          </pre>
          <p class="soft">In a shell with openssl and curl. It prints the address of the page where the payer pays.</p>
        </details>
      )}
    </>
  );
}

const labels: Record<string, string> = {
  checkout_address: "Checkout address",
  test_key: "Test key",
  live_key: "Live key",
  password: "Password",
  callback_secret: "Callback secret",
};

/** request is a shell script that creates a session. */
export function request(base: string, key: string, password: string, sha256: boolean) {
  const digest = sha256 ? "sha256" : "md5";
  return `\
KEY='${key}' PASSWORD='${password}'
NUMBER="order-$(date +%s)" AMOUNT=10.00 CURRENCY=EUR TEXT='A pen'
digest() { openssl "$1" -r | cut -d ' ' -f 1 | tr -d '\\n'; }
HASH=$(printf %s "$NUMBER$AMOUNT$CURRENCY$TEXT$PASSWORD" | tr a-z A-Z | digest ${digest} | digest sha1)
curl -sS '${base}/api/v1/session' -H 'Content-Type: application/json' -d '{
  "merchant_key": "'"$KEY"'", "operation": "purchase",
  "order": {"number": "'"$NUMBER"'", "amount": "'"$AMOUNT"'", "currency": "'"$CURRENCY"'", "description": "'"$TEXT"'"},
  "success_url": "https://shop.example/thanks", "cancel_url": "https://shop.example/cart", "hash": "'"$HASH"'"
}'
`;
}
