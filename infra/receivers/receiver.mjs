// Receives callbacks of the checkout. Run: node receiver.mjs

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = Buffer.from(process.env.CHECKOUT_CALLBACK_SECRET.replace(/^whsec_/, ""), "base64");
const password = process.env.CHECKOUT_PASSWORD;

// Stands for a table with webhook-id as its unique key, written in one transaction with the order.
const seen = new Set();

const hex = (kind, text) => createHash(kind).update(text).digest("hex");

// Compares in constant time.
function isSame(want, given) {
  const [a, b] = [Buffer.from(want), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isSigned(headers, body) {
  const timestamp = headers["webhook-timestamp"] ?? "";
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= 5 * 60)) return false; // also what is no number
  const mac = createHmac("sha256", secret).update(`${headers["webhook-id"]}.${timestamp}.`).update(body);
  const want = "v1," + mac.digest("base64");
  return (headers["webhook-signature"] ?? "").split(" ").some((one) => isSame(want, one));
}

function hasHash(fields) {
  const names = ["id", "order_number", "order_amount", "order_currency", "order_description"];
  const text = names.map((name) => fields[name] ?? "").join("") + password;
  const upper = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return isSame(hex("sha1", hex("md5", upper)), fields.hash ?? "");
}

function readFields(headers, body) {
  if ((headers["content-type"] ?? "").startsWith("application/json")) return JSON.parse(body);
  return Object.fromEntries(new URLSearchParams(body.toString()));
}

function store(id, fields) {
  if (seen.has(id)) return; // a repeat, which is done already
  seen.add(id);
  // Decimal text: compute with a library of decimals or in cents as BigInt, never with Number.
  const amount = fields.transaction_amount ?? fields.order_amount ?? "";
  // Update the order here; mail, stock and all that takes time come after the response.
  console.log(fields.type, fields.status, fields.order_status, fields.order_number, amount);
}

const server = createServer(async (request, response) => {
  let status = 400;
  try {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    if (isSigned(request.headers, body)) {
      const fields = readFields(request.headers, body);
      if (hasHash(fields)) {
        store(request.headers["webhook-id"], fields);
        status = 200;
      }
    }
  } catch (error) {
    status = 500; // the callback comes again
    console.error(error);
  }
  response.writeHead(status).end();
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
