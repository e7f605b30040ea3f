<?php

/**
 * Whether a request comes from Waypost and is no older than five minutes. $headers has lower-case names, $body is
 * file_get_contents("php://input"): verify before you parse.
 */
function is_genuine(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // There are two signatures during a rotation.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}
