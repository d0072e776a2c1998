"""A shop: the page creates a token, this server charges it, a webhook says that the order is paid.

Only the standard library of Python is needed.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent
BASE_URL = os.environ.get("KAIKEI_URL", "http://127.0.0.1:8080")
TOKEN = json.loads(Path(os.environ.get("KAIKEI_TOKEN", "data/credentials.json")).read_text())
AUTHORIZATION = f"Bearer {TOKEN['secret']}.{TOKEN['jwt']}"

TOLERANCE_S = 300
MAX_ATTEMPTS = 4


class Refused(Exception):
    """A response of the service that says no: its code and message."""


def call(method, path, body=None):
    """Calls the service. With the same key, a call that is repeated has its effect once."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": AUTHORIZATION, "Idempotency-Key": uuid.uuid4().hex}
    if data is not None:
        headers["Content-Type"] = "application/json"
    for attempt in range(1, MAX_ATTEMPTS + 1):
        request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
        wait_s = attempt
        try:
            with urllib.request.urlopen(request, timeout=35) as response:
                return json.loads(response.read() or "null")
        except urllib.error.HTTPError as error:
            if attempt == MAX_ATTEMPTS or (error.code < 500 and error.code not in (408, 429)):
                refusal = json.loads(error.read())
                raise Refused(f"{refusal['code']} {refusal['message']}") from error
            wait_s = int(error.headers.get("Retry-After", wait_s))
        except OSError:
            if attempt == MAX_ATTEMPTS:
                raise
        time.sleep(wait_s)


def is_genuine(body, headers, secret):
    """Whether the service has signed this message, and not long ago."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"\d+", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
    # There are two signatures while the secret is being changed; one that fits is enough.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(f"v1,{expected}".encode(), one.encode()) for one in signatures)


# In a real shop this is a table.
orders = {}
lock = threading.Lock()


def new_order():
    order = {"id": str(uuid.uuid4()), "amount": 1200, "currency": "JPY", "status": "open"}
    orders[order["id"]] = order
    return {"order": order, "base_url": BASE_URL, "jwt": TOKEN["jwt"]}


def pay_order(order, token_id):
    """The amount is that of the order: a page could send another one."""
    with lock:
        if order["status"] in ("pending", "paid"):
            return order
        order.update(status="pending", transaction_token_id=token_id)
    try:
        call("POST", "/charges", {
            "transaction_token_id": token_id,
            "amount": order["amount"],
            "currency": order["currency"],
            "metadata": {"order_id": order["id"]},
        })
    except (Refused, OSError) as error:
        order["status"] = "failed"
        print(error, file=sys.stderr)
    return order


def charge_finished(charge):
    """A webhook may come more than once, which changes nothing here."""
    with lock:
        order = orders.get(charge["metadata"].get("order_id"))
        if order is None or order["status"] == "paid":
            return
        if charge["status"] == "successful" and charge["charged_amount"] == order["amount"]:
            order["status"] = "paid"
        elif charge["transaction_token_id"] == order.get("transaction_token_id"):
            order["status"] = "failed"
        print(f"order {order['id']} is {order['status']}", flush=True)


FILES = {
    "/": ("text/html; charset=utf-8", "shop-page/page.html"),
    "/page.css": ("text/css", "shop-page/page.css"),
    "/page.mjs": ("text/javascript", "shop-page/page.mjs"),
}
POLICY = f"default-src 'self'; img-src data:; script-src 'self' {BASE_URL}; frame-src {BASE_URL}"
webhook_secret = ""


class Shop(BaseHTTPRequestHandler):
    def answer(self, status, content, content_type="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answer_json(self, status, body):
        self.answer(status, json.dumps(body).encode())

    def do_GET(self):
        if self.path in FILES:
            content_type, path = FILES[self.path]
            return self.answer(200, (EXAMPLES / path).read_bytes(), content_type)
        order = orders.get(self.path.removeprefix("/orders/"))
        if order is None:
            return self.answer_json(404, {"message": "There is no such page."})
        return self.answer_json(200, order)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/orders":
            return self.answer_json(201, new_order())
        if self.path == "/webhook":
            return self.receive_webhook(body)
        found = re.fullmatch(r"/orders/([^/]+)/payments", self.path)
        order = found and orders.get(found[1])
        if not order:
            return self.answer_json(404, {"message": "There is no such page."})
        return self.answer_json(202, pay_order(order, json.loads(body)["transaction_token_id"]))

    def receive_webhook(self, body):
        if not is_genuine(body, self.headers, webhook_secret):
            return self.answer_json(401, {"message": "The signature is not valid."})
        event = json.loads(body)
        if event["event"] == "charge_finished":
            charge_finished(event["data"])
        return self.answer(204, b"")

    def log_message(self, *_):
        """Requests are not printed."""


def find_webhook(url):
    """The webhook of this shop, found or created."""
    path = f"/stores/{TOKEN['store_id']}/webhooks"
    known = [one for one in call("GET", f"{path}?limit=100")["items"] if one["url"] == url]
    webhook = known[0] if known else call("POST", path, {"url": url, "triggers": ["charge_finished"]})
    return call("GET", f"{path}/{webhook['id']}/secret")["secret"]


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Shop)
shop_url = f"http://127.0.0.1:{server.server_port}"
webhook_secret = find_webhook(f"{shop_url}/webhook")
print(f"shop at {shop_url}/", flush=True)
server.serve_forever()
