import { app, apps } from './apps/page';
import { domain, domains } from './domains/page';
import { invitation } from './invitation/page';
import { overview } from './overview/page';
import { settings } from './settings/page';
import { signedIn, signIn } from './sign-in/page';
import { tester } from './tester/page';
import { webhook, webhooks } from './webhooks/page';

/** Pages for signed-in users; those with a place in the menu stand there in this order. */
export const pages = [overview, apps, app, domains, domain, tester, webhooks, webhook, settings] as const;

/** Pages without the frame. */
export const ownRoutes = [signIn, signedIn, invitation] as const;
