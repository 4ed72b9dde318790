"""What Schemathesis has to know of this service beside infra/openapi.yaml: how a request is signed, which values lead
further than random ones, and the check that the service takes and refuses what the document says."""

import functools
import itertools
import json
import pathlib
import re
import zlib
from hashlib import md5, sha1

import jsonschema_rs
import schemathesis
from schemathesis.specs.openapi import stateful

MERCHANT = json.loads((pathlib.Path(__file__).parent.parent / "merchants.json").read_text())[0]
JSON = "application/json"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Adds the ways through a payment that OpenAPI's links can't say: they need a part of an answer's text."""
    paths = raw_schema["paths"]
    page, status = paths["/page/v1/{session}"]["get"], paths["/api/v1/payment/status"]["post"]
    sandbox, session = paths["/sandbox/{reference}"], {"session": "$request.path.session"}
    payment = "$response.body#/payment_id"  # which the sandbox has as the reference
    link(paths["/api/v1/session"]["post"], "nextScreen", {"session": "$response.body#/redirect_url#regex:session=(.+)"})
    link(page, "pay", session)
    link(page, "answer", session)
    link(page, "chooseAnother", session)
    link(page, "cancel", session)
    link(page, "moreTime", session)
    link(page, "payerReturned", session)
    link(page, "sandboxStep", {"reference": "$response.body#/go/url#regex:/sandbox/(.+)"})
    link(status, "sandboxStep", {"reference": payment})
    link(status, "notifyAgain", {"connector": "sandbox"}, {"reference": payment})
    link(status, "notify", {"connector": "sandbox", "mid": "ZGVtbw.abac25a104f95872"}, {"reference": payment})
    link(sandbox["get"], "sandboxFinish", {"reference": "$request.path.reference"})
    back = {"session": "$response.header.Location#regex:/page/v1/(.+)/return"}
    link(sandbox["post"], "payerReturned", back, answer="303")


def begin_with_a_session(operations, transitions, graph):
    """Schemathesis guesses by which operations scenarios may begin, and would rather begin by looking at what is not
    there: a session needs a schedule_id, which no operation creates, it thinks."""
    roots = stateful.RootTransitions()
    roots.reliable.add("POST /api/v1/session")
    return roots


stateful.classify_root_transitions = begin_with_a_session


def link(operation, target, parameters, body=None, answer="200"):
    responses = operation["responses"] = dict(operation["responses"])  # parts of YAML may be shared
    response = responses[answer] = dict(responses[answer])
    response["links"] = dict(response.get("links", {}))
    response["links"][target] = {"operationId": target, "parameters": parameters}
    if body is not None:
        response["links"][target]["requestBody"] = body


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts in the merchant and the hash, so that requests get past the door, and ids that there are. Some requests are
    left as they are, and what is no sound key or hash always is, so that the door is seen too. Scenarios have to go the
    same way whenever they begin the same way, so in these nothing depends on what was sent before."""
    path, follows = case.operation.path, in_scenario(case)
    for name in ("session", "reference"):
        if name in (case.path_parameters or {}) and not follows:
            case.path_parameters = {**case.path_parameters, name: known(name, case.path_parameters[name])}
    key = (case.headers or {}).get("Idempotency-Key")
    if key and len(key) < 240 and (follows or not now_and_then()):  # a new key for each request, or all would be repeats
        case.headers["Idempotency-Key"] = f"{key}-{next(turn)}"
    body = case.body
    if isinstance(body, dict) and path.startswith("/api/v1/notify/") and "reference" in body and not follows:
        case.body = {**body, "reference": known("reference", body["reference"])}
    if not isinstance(body, dict) or not isinstance(body.get("hash"), str):
        return
    if not re.fullmatch("[0-9A-Fa-f]{40}", body["hash"]):
        return
    if not isinstance(body.get("merchant_key"), str) or not re.fullmatch("[!-~]+", body["merchant_key"]):
        return
    body = {**body, "merchant_key": MERCHANT["test_key"]}
    if not follows:
        lead_to_payments(path, body)
    if isinstance(body.get("order"), dict):
        if path == "/api/v1/session":
            card, flags = WAYS[zlib.crc32(json.dumps(body).encode()) % len(WAYS)]
            case.headers = {**(case.headers or {}), "Test-Card": card}
            body = {**flags, **body}
        body = lead_on(body, follows)
    elif not absent(body.get("amount")):
        body["amount"] = likely(body["amount"], "[0-9.]+", "1.00")
    case.body = body
    if follows or not now_and_then():  # else all is good but the hash
        case.body = {**body, "hash": sign(signed(case.operation, body))}


def in_scenario(case):
    return case.meta is not None and case.meta.phase.name.value == "stateful"


def lead_to_payments(path, body):
    for name in ("payment_id", "order_id"):
        if name in body and not absent(body[name]):
            body[name] = known(name, body[name], ALLOWED.get(path))
    chain = known("chain", body.get("recurring_init_trans_id"))
    if isinstance(chain, tuple) and not absent(body.get("recurring_token")):
        body["recurring_init_trans_id"], body["recurring_token"] = chain


# The card that pays a new session before it is answered, and what the session asks for where it does not say: so there
# is something to capture, to refund and to go on with. See the README's test cards; without one the session stays open.
WAYS = [
    ("01/38", {"auth": True}),
    ("01/41", {"recurring_init": True}),
    ("05/38", {}),
    ("03/38", {}),
    ("01/38", {}),
    ("01/41", {"recurring_init": True, "req_token": True}),
    ("02/38", {}),
    ("", {}),
]

# The status that a payment has to have for what is asked of it; DECLINED_LATER is of our own making.
DECLINED_LATER = "declined later"
ALLOWED = {
    "/api/v1/payment/capture": "pending",
    "/api/v1/payment/refund": "settled",
    "/api/v1/payment/void": "settled",
    "/api/v1/payment/retry": DECLINED_LATER,
}

seen = {}
turn = itertools.count()


@schemathesis.hook
def after_call(context, case, response):
    """Remembers what there is, for requests to come."""
    if in_scenario(case):
        return
    try:
        answer = json.loads(response.content)
    except ValueError:
        return
    if response.status_code != 200 or not isinstance(answer, dict):
        return
    learn("session", part("[?]session=(.+)", answer.get("redirect_url")))
    learn("reference", part("/sandbox/(.+)", (answer.get("go") or {}).get("url")))
    learn("payment_id", answer.get("payment_id"))
    later = case.operation.path.endswith("/recurring")
    if "recurring_token" in answer and not later:
        learn("chain", (answer["payment_id"], answer["recurring_token"]))
    learn(DECLINED_LATER if later and answer["status"] == "decline" else answer.get("status"), answer.get("payment_id"))
    if "redirect_url" in answer and isinstance(case.body, dict) and isinstance(case.body.get("order"), dict):
        learn("order_id", case.body["order"].get("number"))


def part(pattern, text):
    found = re.search(pattern, text or "")
    return found and found.group(1)


def learn(name, value):
    if name and value and value not in seen.setdefault(name, []):
        seen[name] = [*seen[name], value][-32:]


def known(name, value, better=None):
    """A value that there is, for most that are texts: of the better kind if there is one."""
    if not isinstance(value, str) or value in seen.get(name, [value]) or now_and_then():
        return value
    some = seen.get(better) or seen[name]
    return some[next(turn) % len(some)]


def now_and_then():
    """True for one call of eight."""
    return next(turn) % 8 == 0


def seldom(value):
    """True for one value of eight, always the same ones."""
    return zlib.crc32(json.dumps(value).encode()) % 8 == 0


def likely(value, pattern, better):
    """A better value for most that are right by their pattern."""
    sound = isinstance(value, str) and re.fullmatch(pattern, value) is not None
    return better if sound and not seldom(value) else value


def lead_on(body, follows):
    """Most values that are right by their pattern name nothing that there is: no currency, no country, no schedule. In
    their place come some that do, for most requests, and an order number that was not sent before."""
    order, odd = dict(body["order"]), not follows and now_and_then()
    order["number"] = fresh(order.get("number"), follows)
    if "currency" in order:
        order["currency"] = likely(order["currency"], "[A-Z][A-Z0-9]{2,5}", "USD")
    if not absent(order.get("amount")) or not odd:
        order["amount"] = likely(order.get("amount", "1"), r"-?[0-9.]+", "10.00")
    body = {**body, "order": order}
    for name in ("billing_address", "payee_billing_address"):
        if isinstance(body.get(name), dict) and "country" in body[name]:
            body[name] = {**body[name], "country": likely(body[name]["country"], "[A-Z]{2}", "DE")}
    if isinstance(body.get("customer"), dict) and "birth_date" in body["customer"]:
        date = likely(body["customer"]["birth_date"], "[0-9-]{10}", "1980-02-29")
        body["customer"] = {**body["customer"], "birth_date": date}
    for name in ("success_url", "cancel_url", "expiry_url", "error_url"):
        if name in body:
            body[name] = likely(body[name], "[A-Za-z][A-Za-z0-9+.-]*://[!-~]+", "https://shop.example/?" + name)
    if not odd and body.get("operation") in ("credit", "transfer") and absent(body.get("payee")):
        body["payee"] = {"name": "Jane Doe"}
    if not odd:
        for name in UNKNOWN:
            body.pop(name, None)
    return body


# Fields that name something which the demo merchant has not, and those that need one of them.
UNKNOWN = ("channel_id", "schedule_id", "schedule_start_date", "payment_schedule_amount")
UNKNOWN += ("recurring_consent_required", "form_id", "card_token")

numbers = {}


def fresh(number, follows):
    if not isinstance(number, str) or not 0 < len(number) < 240:
        return f"{next(turn)}" if follows and isinstance(number, (str, int, float)) and number != "" else number
    times = numbers[number] = numbers.get(number, 0) + 1
    return number if not follows and (times == 1 or times % 8 == 0) else f"{number}-{next(turn)}"


def signed(operation, body):
    """The texts that a hash is made of, as the operation's description lists them. Of two lists it is the first whose
    first text was sent."""
    texts = []
    described = re.sub(r" \([^)]*\)", "", operation.definition.raw["description"])
    for names in re.findall(": ([a-z_., ]+), password", described):
        if not texts or absent(texts[0]):
            texts = [functools.reduce(member, name.split("."), body) for name in names.split(", ")]
    if not texts:
        raise AssertionError(f"{operation.label}: the description has no line `Text of the hash: ..., password.`")
    return texts


def absent(value):
    return value is None or value == [] or isinstance(value, str) and not value.strip()


def sign(texts):
    text = "".join(t if isinstance(t, str) else json.dumps(t) for t in texts if not absent(t)) + MERCHANT["password"]
    upper = re.sub("[a-z]+", lambda found: found.group().upper(), text)
    return sha1(md5(upper.encode("utf-8", "surrogatepass")).hexdigest().encode()).hexdigest()


@schemathesis.check
def document_is_kept(ctx, response, case):
    """What is taken is as the document says, and what is as it says is refused for a reason that it names."""
    content = case.operation.definition.raw.get("requestBody", {}).get("content", {}).get(JSON)
    if content is None or "schema" not in content:
        return
    document = case.operation.schema.raw_schema
    sent, known = parsed(response.request.body)
    body = read_part(document, content["schema"], sent)
    schema = {**content["schema"], "components": document["components"]}
    fault = None if known is False else next(iter(validator(schema).iter_errors(body)), None)
    good = known and fault is None
    if response.status_code < 300 and not good and "x-rule" not in case.operation.definition.raw["requestBody"]:
        raise AssertionError(f"took what the document does not allow: {fault and fault.message}")
    if response.status_code == 400 and good:
        for error in response.json()["errors"]:
            if not documented(document, content["schema"], sent, error):
                raise AssertionError(f"refused what the document allows: {error['error_message']}")


@schemathesis.check
def hash_decides(ctx, response, case):
    """Nothing is taken without a good hash, and a good one is never refused."""
    body, known = parsed(response.request.body)
    if not case.operation.tags or "merchant" not in case.operation.tags or not isinstance(body, dict):
        return
    good = sign(signed(case.operation, body)) == str(body.get("hash")).lower()
    good = good and body.get("merchant_key") == MERCHANT["test_key"]
    if response.status_code < 300 and not good:
        raise AssertionError("took a request whose hash is not good")
    if response.status_code == 401 and good:
        raise AssertionError("refused a good hash")


def parsed(body):
    try:
        return json.loads(body), True
    except (TypeError, ValueError):
        return None, False


validators = {}


def validator(schema):
    name = json.dumps({k: v for k, v in schema.items() if k != "components"}, sort_keys=True)
    if name not in validators:
        validators[name] = jsonschema_rs.Draft202012Validator(schema)
    return validators[name]


def resolve(document, schema):
    while "$ref" in schema:
        target = document
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
    return schema


def branches(document, schema):
    """The schema and all that it may be instead."""
    schema = resolve(document, schema)
    yield schema
    for other in schema.get("anyOf", []):
        yield from branches(document, other)


def read_part(document, schema, value, request=None):
    """A body without the fields that its operation does not read."""
    if not isinstance(value, dict):
        return value
    request = request or value
    properties = {}
    for branch in branches(document, schema):
        properties.update(branch.get("properties", {}))
    kept = {}
    for name, member in value.items():
        known = properties.get(name)
        if known is None:
            kept[name] = member
        elif any(applies(rule, request) for rule in known.get("x-read-for", [request.get("operation")])):
            kept[name] = read_part(document, known, member, request)
    return kept


def applies(rule, request):
    """An entry of x-read-for: an operation, or one with or without another field."""
    operation, _, more = str(rule).partition(" ")
    word, _, other = more.partition(" ")
    sent = request.get(other)
    there = not absent(sent) and str(sent).lower() not in ("false", "no", "n", "0")
    return operation == str(request.get("operation")) and (not word or there == (word == "with"))


def documented(document, schema, sent, error):
    """Whether an error has a code of its own, blames a number for its literal text, or breaks an x-rule."""
    if error["error_code"] != 100000:
        return True
    path, found, _ = error["error_message"].partition(": ")
    if path == "Idempotency-Key":
        return True
    if not found:
        return error["error_message"] in UNBLAMED
    at = [schema]
    value = sent
    for step in re.findall(r"[^.\[\]]+", path):
        following = []
        ruled = False
        for branch in (b for s in at for b in branches(document, s)):
            ruled = ruled or "x-rule" in branch
            for inner in (branch.get("properties", {}).get(step), branch.get("items"), branch.get("additionalProperties")):
                if isinstance(inner, dict):
                    following.append(inner)
        if not following:
            return ruled
        at = following
        value = member(value, step)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number or any("x-rule" in branch for s in at for branch in branches(document, s))


def member(value, step):
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        return value[int(step)]
    return None


# Refusals of a sound request that blame no field (protocol.md, Errors).
UNBLAMED = {
    "Protocol mapping not found.",
    "Refund is not allowed.",
    "Void is not allowed.",
    "Capture is not allowed.",
    "Retry is not allowed.",
    "The payment is not settled yet.",
    "The wallet can't be opened here.",
}


@schemathesis.check
class EveryOperationWasReached:
    """Requests that are all refused at the door prove little: each operation has to succeed at least once, and in
    scenarios those that follow from a session or its payment."""

    def __init__(self):
        self.asked, self.done, self.followed = set(), set(), set()

    def after_response(self, ctx, response, case):
        self.asked.add(case.operation.label)
        if response.status_code < 400:
            self.done.add(case.operation.label)
            if in_scenario(case):
                self.followed.add(case.operation.label)

    def after_run(self, ctx):
        if failed := self.asked - self.done - SELDOM:
            raise AssertionError("never succeeded: " + ", ".join(sorted(failed)))
        if failed := {label for label in self.asked - self.followed if not unfollowed(label)}:
            raise AssertionError("never succeeded in a scenario: " + ", ".join(sorted(failed)))


# A chain, a soft decline in it, an authorised payment and one that waits at the sandbox are only there by chance. A
# merchant session needs a vendor outside, and a card that is removed a session with saved ones.
STOP = "POST /api/v1/payment/recurring/stop"
SHEET, REMOVAL = "POST /page/v1/{session}/applepay", "POST /page/v1/{session}/remove-card"
CAPTURE, STEP = "POST /api/v1/payment/capture", "POST /sandbox/{reference}"
SELDOM = {"POST /api/v1/payment/recurring", STOP, "POST /api/v1/payment/retry", CAPTURE, STEP, SHEET, REMOVAL}


def unfollowed(label):
    """Explain, merchant sessions, removed cards, the test wallet and reports lead nowhere. What follows a payment needs one in the right status,
    and which one a scenario has at hand depends on the pace of the machine: that these succeed at all is asked above, and
    each one's example is sent by a test."""
    alone = ("POST /api/v1/session/explain", STEP, SHEET, REMOVAL, "POST /sandbox/wallet", "POST /page/reports")
    return label in alone or label.startswith("POST /api/v1/payment/") and "status" not in label
