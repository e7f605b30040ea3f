import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class WaypostWebhook {
  /**
   * Whether a request comes from Waypost and is no older than five minutes. The strings are the headers webhook-id,
   * webhook-timestamp and webhook-signature; body is the raw bytes of the request: verify before you parse.
   *
   * @param now System.currentTimeMillis() / 1000
   */
  public static boolean isGenuine(
      String secret, String id, String timestamp, String signatures, byte[] body, long now)
      throws GeneralSecurityException {
    if (id == null || timestamp == null || signatures == null) return false;
    if (!timestamp.matches("[0-9]{1,12}") || Math.abs(now - Long.parseLong(timestamp)) > 300) return false;
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    // There are two signatures during a rotation.
    for (String each : signatures.split(" ")) {
      if (MessageDigest.isEqual(expected, each.getBytes(UTF_8))) return true;
    }
    return false;
  }
}
