import base64, hashlib, hmac, re, time


def is_genuine(secret, headers, body, now=None):
    """Whether a request comes from Waypost and is no older than five minutes.

    `body` is the bytes as they came: parse them afterwards, not before.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Two signatures while a secret is being rotated.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in signatures)
