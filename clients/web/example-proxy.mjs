import express from 'express';

/** The paths that the browser SDK calls; the rest of the API stays unreachable. */
const CALLS =
  /^\/api\/v1\/cross-platform\/(?:identify|opt-in|withdraw|session\/(?:create|register-link|event|funnel\/track|[\da-f-]{36}(?:\/link-user)?))$/;

/**
 * Forwards calls of the browser SDK to Waypost with the app's key. For Express 4 and 5.
 * `memberOf(request)` returns the id of the logged-in member, if any.
 */
export function waypostProxy({ url, appId, apiKey, memberOf }) {
  const proxy = express.Router();
  proxy.use(express.json({ limit: '100kb' }));
  proxy.use(async (request, response, next) => {
    // Status, code and message tell the SDK that this server refuses, not something in front of it.
    const refuse = (status, code, message) =>
      response.status(status).json({ status, code, message, appId: Number(appId) });
    try {
      const { method, path, query, body } = request;
      if (!CALLS.test(path)) return refuse(404, 'NO_SUCH_CALL', 'No such call');
      if (query.appId !== undefined && query.appId !== String(appId)) {
        return refuse(409, 'WRONG_APP', 'This proxy is for another app');
      }
      // Never trust the browser about who is logged in.
      if (body?.externalUserId !== undefined && body.externalUserId !== memberOf(request)) {
        return refuse(403, 'NOT_THE_MEMBER', 'Not the member who is logged in');
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
    } catch (error) {
      // Express 4 does not wait for promises.
      next(error);
    }
  });
  return proxy;
}
