import express from 'express';

/** What the browser SDK calls; everything else of the API stays out of reach. */
const CALLS =
  /^\/api\/v1\/cross-platform\/(?:identify|opt-in|withdraw|session\/(?:create|register-link|event|funnel\/track|[\da-f-]{36}(?:\/link-user)?))$/;

/**
 * Hands calls of the browser SDK on to Waypost, with the app's key.
 * `memberOf(request)` gives the id of the member who is logged in, or nothing.
 */
export function waypostProxy({ url, appId, apiKey, memberOf }) {
  const proxy = express.Router();
  proxy.use(express.json({ limit: '100kb' }));
  proxy.all('/{*path}', async (request, response) => {
    const { method, path, body } = request;
    if (!CALLS.test(path)) return response.status(404).json({ error: 'No such call' });
    // Browsers may claim anything: who somebody is, this server knows.
    if (body?.externalUserId !== undefined && body.externalUserId !== memberOf(request)) {
      return response.status(403).json({ error: 'Not the member who is logged in' });
    }
    const answer = await fetch(url + path, {
      method,
      headers: {
        'X-App-ID': String(appId),
        'X-Mobile-App-API-Key': apiKey,
        'Content-Type': 'application/json',
      },
      body: method === 'POST' ? JSON.stringify(body) : undefined,
    });
    response
      .status(answer.status)
      .type('json')
      .send(await answer.text());
  });
  return proxy;
}
