export const FORMATS = `All requests and responses are JSON in UTF-8. Date-times are ISO-8601 in UTC (\`2026-11-20T08:32:00Z\`), ids are numbers,
absent optional values are \`null\`. Unknown body fields are ignored, and so are unknown query parameters, except on
lists, feeds and exports: there an unknown parameter is a 400 that names it, because ignoring a mistyped filter would
return everything. An invalid value is a 400 that names the field. A path that only supports other methods returns
405 METHOD_NOT_ALLOWED and lists them in \`Allow\`.`;

export const ERRORS = 'Errors have the body of `ErrorResponse`, whose `code` is stable.';

export const CROSS_PLATFORM = `The cross-platform API has two bodies of its own: a missing or invalid app header returns \`{"error": "…"}\`
(\`HeaderErrorResponse\`), and \`opt-in\` and \`withdraw\` return \`{"success": false, "message": "…"}\` for a member without a
contact (\`ContactMissingResponse\`).`;

export const SERVICE = `Service API calls carry \`X-API-KEY\`; the \`RateLimit-*\` headers report the remaining quota. Each operation names the
scope that the key needs, in \`x-scope\` and in \`security\`. A POST may carry \`Idempotency-Key\`, which makes it safe to
repeat.`;

export const SDK = `Mobile SDK and cross-platform calls carry \`X-App-ID\` and \`X-Mobile-App-API-Key\`, the secret key of the app or its
publishable key, which may be in apps and pages. They are rate-limited per app, and per address with the publishable
key. \`x-publishable-key\` of each operation says what it opens: \`yes\`, unless the body names a member; \`own\`, for
sessions that it began; \`identity\`, with \`X-Identity-Signature\`; \`no\`. Web SDK calls carry no key.`;

export const CONSOLE = `Console calls carry \`Authorization: Bearer <token>\`, or in browsers the cookie of a session, which for changes needs an
\`Origin\` of this service. Each operation names the role that the user needs, in \`x-role\` and in \`security\`, and a
permission, if it needs one, in \`x-permission\`; what \`PLATFORM\` names, only the platform token may do.`;
