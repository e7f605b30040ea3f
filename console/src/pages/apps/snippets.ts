import type { Schemas } from '../../api/client';

/** `exampleshop` of `exampleshop://`. */
export function schemeName(scheme: string): string {
  return scheme.replace(/:\/\/$/, '');
}

export function urlType(scheme: string): string {
  return `<key>CFBundleURLTypes</key>
<array>
  <dict>
    <key>CFBundleURLSchemes</key>
    <array><string>${scheme}</string></array>
  </dict>
</array>`;
}

const CATEGORIES = `  <action android:name="android.intent.action.VIEW" />
  <category android:name="android.intent.category.DEFAULT" />
  <category android:name="android.intent.category.BROWSABLE" />`;

/** @param paths of the apps whose links the app opens */
export function intentFilters(
  { scheme }: Schemas['AppResponse'],
  hosts: readonly string[],
  paths: readonly string[],
): string {
  const data = [
    '<data android:scheme="https" />',
    ...hosts.map((host) => `<data android:host="${host}" />`),
    ...paths.map((path) => `<data android:pathPrefix="/${path}/" />`),
  ];
  const links = `<intent-filter android:autoVerify="true">
${CATEGORIES}
${data.map((line) => `  ${line}`).join('\n')}
</intent-filter>`;
  if (scheme === null) return links;
  return `${links}
<intent-filter>
${CATEGORIES}
  <data android:scheme="${schemeName(scheme)}" />
</intent-filter>`;
}

export const INSTALL_REFERRER = `dependencies {
  implementation("com.android.installreferrer:installreferrer:2.2")
}`;

export const SWIFT = `/// Call it with the address that opened the app.
func opened(by address: URL) async throws {
  let first = UserDefaults.standard.bool(forKey: "launched") ? "false" : "true"
  UserDefaults.standard.set(true, forKey: "launched")
  let query = URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems
  let answer: [String: Any]
  if let token = query?.first(where: { $0.name == "waypost_token" })?.value {
    // The scheme: the token names the click.
    answer = try await get("/api/v1/sdk/mobile/deeplink/match",
      ["token": token, "isFirstLaunch": first])
  } else {
    // A Universal Link: the address names the link.
    let link = address.pathComponents.dropFirst().joined(separator: "/")
    answer = try await get("/api/v1/sdk/mobile/deeplink/resolve-shorturl/\\(link)",
      ["sessionId": UUID().uuidString.lowercased(), "isFirstLaunch": first])
  }
  if let target = answer["deepLinkUrl"] as? String { navigate(to: target) }
}

/// Calls Waypost through your own server, which adds the key.
func get(_ path: String, _ query: [String: String]) async throws -> [String: Any] {
  var url = URLComponents(string: "https://shop.example/waypost" + path)!
  url.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
  let (data, _) = try await URLSession.shared.data(from: url.url!)
  return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
}`;

export const KOTLIN = `/** Call it with the intent's data, from onCreate and onNewIntent. */
suspend fun opened(address: Uri, settings: SharedPreferences) {
  val first = (!settings.getBoolean("launched", false)).toString()
  settings.edit().putBoolean("launched", true).apply()
  val token = address.getQueryParameter("waypost_token")
  val answer = if (token != null) {
    // The scheme: the token names the click.
    get("/api/v1/sdk/mobile/deeplink/match", mapOf("token" to token, "isFirstLaunch" to first))
  } else {
    // An App Link: the address names the link.
    val link = address.pathSegments.joinToString("/")
    get("/api/v1/sdk/mobile/deeplink/resolve-shorturl/$link",
      mapOf("sessionId" to UUID.randomUUID().toString(), "isFirstLaunch" to first))
  }
  if (!answer.isNull("deepLinkUrl")) navigate(answer.getString("deepLinkUrl"))
}

/** Calls Waypost through your own server, which adds the key. */
suspend fun get(path: String, query: Map<String, String>): JSONObject = withContext(Dispatchers.IO) {
  val url = Uri.parse("https://shop.example/waypost$path").buildUpon()
  query.forEach { (name, value) -> url.appendQueryParameter(name, value) }
  JSONObject(URL(url.build().toString()).readText())
}`;

/** A server that adds the key to the calls of the app. */
export const RELAY = `const { WAYPOST_URL, WAYPOST_APP_ID, WAYPOST_APP_KEY } = process.env;
const CALLS = /^\\/api\\/v1\\/(sdk\\/mobile|cross-platform)\\/[\\w\\/-]+$/;

app.all('/waypost/*path', express.json(), async (request, response) => {
  const path = request.path.replace('/waypost', '');
  if (!CALLS.test(path)) return response.sendStatus(404);
  const person = { ipAddress: request.ip, userAgent: request.get('user-agent') };
  const posts = request.method === 'POST';
  const query = new URLSearchParams(posts ? request.query : { ...request.query, ...person });
  const answer = await fetch(\`\${WAYPOST_URL}\${path}?\${query}\`, {
    method: request.method,
    headers: {
      'Content-Type': 'application/json',
      'X-App-ID': WAYPOST_APP_ID,
      'X-Mobile-App-API-Key': WAYPOST_APP_KEY,
    },
    body: posts ? JSON.stringify({ ...request.body, ...person }) : undefined,
  });
  response.status(answer.status).type('json').send(await answer.text());
});`;

export function webSnippet(id: number): string {
  return `<script src="${location.origin}/sdk/web/latest/waypost.js"></script>
<script>
  Waypost.init({ appId: ${id}, proxyUrl: '/waypost' });
</script>`;
}
