import type { Server } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { isTracing } from '../common/tracing';
import { Hosts } from '../modules/redirect/hosts';
import { RedirectObserver } from '../modules/redirect/observation/redirect-observer';
import { RedirectResponder } from '../modules/redirect/redirect-responder';
import { RedirectListener } from '../modules/redirect/redirect.listener';
import { TrackedLinkLocator } from '../modules/redirect/tracked-link-locator';
import { FastPathServer } from './fast-path-server';
import { FastRedirects } from './fast-redirects';
import { leaveToNode } from './plain-request';

/** Installs the fast path in front of a server that is not listening yet and whose timeouts are set. */
export function fastPath(server: Server, nest: INestApplicationContext): FastPathServer {
  if (isTracing()) leaveToNode('traceparent');
  const redirects = new FastRedirects(
    nest.get(Hosts),
    nest.get(RedirectListener),
    nest.get(TrackedLinkLocator),
    nest.get(RedirectResponder),
    nest.get(RedirectObserver),
  );
  return new FastPathServer(server, redirects.handle);
}
