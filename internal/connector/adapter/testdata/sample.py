"""An adapter of one file, written from infra/adapter.yaml alone: it plays a bank in memory, in the contract's test mode.

    python3 sample.py [--listen 127.0.0.1:8080] [--key KEY] [--secret SECRET]

It needs Python 3.9 and nothing else.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 5 * 60
DECLINES = {"905": "insufficient_funds", "906": "do_not_honor", "908": "card_stolen"}

lock = threading.Lock()
operations = {}  # by reference
settings = None


class Refused(Exception):
    """A request that is refused before anything was done."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


def signature(message_id, timestamp, content):
    signed = f"{message_id}.{timestamp}.".encode() + content
    digest = hmac.new(settings.secret.encode(), signed, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def authentic(headers, content):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if headers.get("Adapter-Key") != settings.key or not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if not message_id or abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    right = signature(message_id, timestamp, content).encode()
    given = headers.get("webhook-signature", "").encode("utf-8", "surrogateescape").split()
    return any(hmac.compare_digest(one, right) for one in given)


def minor_units(request):
    """The amount of a request in minor units."""
    amount = request.get("amount")
    if not isinstance(amount, dict) or not isinstance(amount.get("value"), str):
        raise Refused(400, "amount_invalid")
    found = re.fullmatch(r"(0|[1-9][0-9]*)(?:\.([0-9]+))?", amount["value"], re.ASCII)
    if not found or len(found[2] or "") != amount.get("exponent"):
        raise Refused(400, "amount_invalid")
    minor = int(found[1] + (found[2] or ""))
    if minor == 0:
        raise Refused(400, "amount_invalid")
    return minor


def handle(path, request):
    """Return the result of an authentic request."""
    if path == "/describe":
        return {"found_after": 0}  # what is stored is found at once
    kind, reference = request.get("kind"), request.get("reference")
    if not isinstance(reference, str) or not reference:
        raise Refused(400, "not_possible")
    with lock:
        known = operations.get(reference)
        if path in ("/lookup", "/cancel"):
            if known is None or known["kind"] != kind:
                return {"kind": kind, "reference": reference, "status": "unknown"}
            if path == "/cancel" and known["status"] == "action_required":
                decline(known, "payer_refused")
            return result(known)
        if path not in ("/charge", "/capture", "/void", "/refund"):
            raise Refused(422, "not_supported")
        if path != "/" + str(kind):
            raise Refused(400, "not_possible")
        new = {
            "kind": kind, "reference": reference, "payment": request.get("payment"), "session": request.get("session"),
            "amount": request.get("amount"), "charge": (request.get("charge") or {}).get("reference"),
            "minor": 0 if kind == "void" else minor_units(request), "notice_url": request.get("notice_url"),
            "authorise_only": request.get("authorise_only", False), "recurring": request.get("recurring", False),
            "unauthenticated": (request.get("wallet") or {}).get("unauthenticated", False),
            "card": bool(request.get("card")), "secured": False, "captured": 0, "refunded": 0, "void": False,
        }
        if known is not None:
            if any(known[name] != new[name] for name in ("kind", "amount", "charge")):
                raise Refused(409, "duplicate")
            return result(known)
        if kind == "charge" and not wallet_fits(request):
            raise Refused(400, "not_possible")
        operations[reference] = new
        if kind == "charge":
            charge(new)
        elif follow(new, operations.get(new["charge"])):
            new["status"] = "approved"
        else:
            decline(new, "not_allowed")
        return result(new)


def wallet_fits(request):
    """Tell whether the wallet of a charge fits its method and card. Token and cryptogram are not stored."""
    wallet, card, later = request.get("wallet"), request.get("card") or {}, bool(request.get("recurring"))
    if wallet is None or request.get("method") not in ("applepay", "googlepay"):
        return wallet is None and request.get("method") not in ("applepay", "googlepay")
    token, unauthenticated = wallet.get("token"), wallet.get("unauthenticated", False)
    if wallet.get("kind") != request["method"]:
        return False
    if wallet.get("flow") == "virtual":
        return not card and not unauthenticated and later == (not token)
    if wallet.get("flow") != "card" or token or not card.get("number"):
        return False
    if card.get("pan_type") == "fpan":
        return not card.get("cryptogram")
    return card.get("pan_type") == "dpan" and not unauthenticated and later == (not card.get("cryptogram"))


def charge(new):
    digits = str(new["minor"])[-3:]
    if digits in DECLINES:
        decline(new, DECLINES[digits])
    elif digits == "909":
        new["status"] = "pending"
        threading.Timer(1, approve_later, [new]).start()
    elif digits == "910" and new["recurring"]:
        decline(new, "authentication_required")
    elif digits == "910" or new["unauthenticated"]:
        new["status"] = "action_required"
    else:
        approve(new)


def approve(operation):
    operation["status"] = "authorised" if operation["authorise_only"] else "approved"
    if not operation["authorise_only"]:
        operation["captured"] = operation["minor"]


def decline(operation, reason):
    operation["status"], operation["reason"] = "declined", reason


def follow(new, original):
    """Do a capture, void or refund if its charge allows it."""
    if original is None or original["kind"] != "charge" or original["void"]:
        return False
    if original["status"] not in ("approved", "authorised"):
        return False
    if new["kind"] == "void":
        original["void"] = original["refunded"] == 0
        return original["void"]
    if new["amount"]["currency"] != original["amount"]["currency"]:
        return False
    if new["kind"] == "capture":
        if original["captured"] or new["minor"] > original["minor"]:
            return False
        original["captured"] = new["minor"]
        return True
    if original["refunded"] + new["minor"] > original["captured"]:
        return False
    original["refunded"] += new["minor"]
    return True


def result(operation):
    """What became of an operation."""
    status, kind = operation["status"], operation["kind"]
    out = {"kind": kind, "reference": operation["reference"], "status": status, "payment": operation["payment"]}
    if operation["session"]:
        out["session"] = operation["session"]
    if kind == "charge":
        out["provider"] = {"id": "bank-" + operation["reference"]}
    if status == "declined":
        out["decline"] = {"reason": operation["reason"]}
    elif status == "action_required":
        kind = "3ds" if operation["unauthenticated"] else "redirect"
        out["action"] = {"type": kind, "url": f"http://{settings.listen}/pay/{operation['reference']}"}
    elif status in ("approved", "authorised") and kind != "void":
        out["requested"] = out["amount"] = operation["amount"]
        if kind == "charge" and operation["card"]:  # a real one is the card scheme's
            out["provider"]["network_transaction_id"] = "MCC0000010102"
        if operation["secured"]:
            out["authentication"] = {"eci": "05", "liability_shift": True, "three_ds_version": "2.2.0"}
    return out


def approve_later(operation):
    """Approve a pending charge, and send the notice until it is taken."""
    with lock:
        approve(operation)
        body = json.dumps(result(operation)).encode()
    message_id, pause = "notice_" + operation["reference"], 1
    while operation["notice_url"] and pause < 2 * 24 * 3600:
        timestamp = str(int(time.time()))
        headers = {
            "Content-Type": "application/json", "webhook-id": message_id, "webhook-timestamp": timestamp,
            "webhook-signature": signature(message_id, timestamp, body),
        }
        try:
            request = urllib.request.Request(operation["notice_url"], body, headers)
            with urllib.request.urlopen(request, timeout=10):
                return
        except urllib.error.HTTPError as error:
            if error.code in (400, 404):
                return
        except OSError:
            pass
        time.sleep(pause)
        pause *= 2


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        """The page of a bank that authenticates every payer who comes to it."""
        operation = operations.get(self.path.removeprefix("/pay/"))
        if operation and operation["status"] == "action_required":
            operation["secured"] = True
            threading.Thread(target=approve_later, args=[operation]).start()
        self.send_response(200 if operation else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1 << 20))
        status = 200
        try:
            if not authentic(self.headers, b"POST " + self.path.encode() + b"." + body):
                raise Refused(401, "not_allowed")
            try:
                request = json.loads(body)
            except ValueError:
                raise Refused(400, "not_possible") from None
            if not isinstance(request, dict):
                raise Refused(400, "not_possible")
            out = handle(self.path, request)
        except Refused as refused:
            status, out = refused.status, {"error": {"reason": refused.reason}}
        text = json.dumps(out).encode()
        message_id, timestamp = self.headers.get("webhook-id", ""), str(int(time.time()))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("webhook-id", message_id)
        self.send_header("webhook-timestamp", timestamp)
        self.send_header("webhook-signature", signature(message_id, timestamp, str(status).encode() + b"." + text))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass  # a log could have what is secret


def main():
    global settings
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen", default="127.0.0.1:8080")
    parser.add_argument("--key", default="key")
    parser.add_argument("--secret", default="secret")
    settings = parser.parse_args()
    host, port = settings.listen.rsplit(":", 1)
    server = ThreadingHTTPServer((host, int(port)), Handler)
    settings.listen = f"{host}:{server.server_port}"
    print(f"http://{settings.listen}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
