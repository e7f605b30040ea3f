// Checks that the process of this container is alive. On PORT, the service responds 404 to unknown hosts, so the request
// sets the Host header to that of BASE_URL, which fetch() does not allow.
import { request } from 'node:http';

const { PORT = '3000', OPERATIONS_PORT, BASE_URL = `http://127.0.0.1:${PORT}` } = process.env;

const call = request({
  host: '127.0.0.1',
  port: OPERATIONS_PORT || PORT,
  path: '/health/live',
  headers: { host: new URL(BASE_URL).host },
  timeout: 3_000,
});
call.on('timeout', () => call.destroy(new Error('no response within 3 s')));
call.on('error', (error) => fail(error.message));
call.on('response', (response) => {
  response.resume();
  if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
});
call.end();

function fail(reason) {
  console.error(`/health/live: ${reason}`);
  process.exitCode = 1;
}
