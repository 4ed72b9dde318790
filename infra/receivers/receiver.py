"""Receives callbacks of the checkout. Run: python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import string
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

SECRET = base64.b64decode(os.environ["CHECKOUT_CALLBACK_SECRET"].removeprefix("whsec_"))
PASSWORD = os.environ["CHECKOUT_PASSWORD"]
HASHED = ("id", "order_number", "order_amount", "order_currency", "order_description")
A_TO_Z = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)

# Stands for a table with webhook-id as its unique key, written in one transaction with the order.
seen = set()
seen_lock = threading.Lock()


def is_signed(headers, body):
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    try:
        if abs(time.time() - int(timestamp)) > 5 * 60:
            return False
    except ValueError:
        return False
    mac = hmac.new(SECRET, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256)
    want = b"v1," + base64.b64encode(mac.digest())
    return any(hmac.compare_digest(want, one.encode()) for one in headers.get("webhook-signature", "").split(" "))


def has_hash(fields):
    text = "".join(fields.get(name, "") for name in HASHED) + PASSWORD
    inner = hashlib.md5(text.translate(A_TO_Z).encode()).hexdigest()
    want = hashlib.sha1(inner.encode()).hexdigest()
    return hmac.compare_digest(want.encode(), fields.get("hash", "").encode())


def read_fields(headers, body):
    if headers.get("Content-Type", "").startswith("application/json"):
        return {name: value for name, value in json.loads(body).items() if isinstance(value, str)}
    return dict(parse_qsl(body.decode()))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        authentic = is_signed(self.headers, body)
        if authentic:
            fields = read_fields(self.headers, body)
            authentic = has_hash(fields)
        if authentic:
            self.store(self.headers["webhook-id"], fields)
        self.send_response(200 if authentic else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def store(self, webhook_id, fields):
        with seen_lock:
            if webhook_id in seen:
                return  # a repeat, which is done already
            seen.add(webhook_id)
        # Decimal text: compute with decimal.Decimal, never with float.
        amount = fields.get("transaction_amount") or fields.get("order_amount", "")
        # Update the order here; mail, stock and all that takes time come after the response.
        print(fields["type"], fields["status"], fields["order_status"], fields["order_number"], amount, flush=True)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
