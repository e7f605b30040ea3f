package waypost

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine reports whether a request comes from Waypost and is no older than five minutes.
// body is the raw bytes of the request: verify before you parse.
func IsGenuine(secret string, header http.Header, body []byte, now time.Time) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return false
	}
	if age := now.Unix() - int64(seconds); age > 300 || age < -300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// There are two signatures during a rotation.
	for _, each := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(each), expected) {
			return true
		}
	}
	return false
}
