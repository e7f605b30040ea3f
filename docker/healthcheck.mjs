// Asks this container's own process whether it is alive. The service answers 404 to hosts that it does not know,
// so the request names the host of BASE_URL; fetch() does not let a caller choose that header.
import { request } from 'node:http';

const { PORT = '3000', BASE_URL = `http://127.0.0.1:${PORT}` } = process.env;

const call = request({
  host: '127.0.0.1',
  port: PORT,
  path: '/health/live',
  headers: { host: new URL(BASE_URL).host },
  timeout: 3_000,
});
call.on('timeout', () => call.destroy(new Error('no answer within 3 s')));
call.on('error', (error) => fail(error.message));
call.on('response', (response) => {
  response.resume();
  if (response.statusCode !== 200) fail(`answered ${response.statusCode}`);
});
call.end();

function fail(reason) {
  console.error(`/health/live: ${reason}`);
  process.exitCode = 1;
}
