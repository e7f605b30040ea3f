import { app, apps } from './apps/page';
import { campaign, campaigns } from './campaigns/page';
import { contact, contacts } from './contacts/page';
import { domain, domains } from './domains/page';
import { invitation } from './invitation/page';
import { journey, journeys } from './journeys/page';
import { link } from './link/page';
import { links } from './links/page';
import { optOuts } from './opt-outs/page';
import { overview } from './overview/page';
import { segment, segments } from './segments/page';
import { settings } from './settings/page';
import { signedIn, signIn } from './sign-in/page';
import { tester } from './tester/page';
import { webhook, webhooks } from './webhooks/page';

/** Pages for signed-in users, in the order of the menu. */
export const pages = [
  overview,
  links,
  link,
  campaigns,
  campaign,
  journeys,
  journey,
  contacts,
  contact,
  segments,
  segment,
  optOuts,
  apps,
  app,
  domains,
  domain,
  tester,
  webhooks,
  webhook,
  settings,
] as const;

/** Pages outside of the shell. */
export const ownRoutes = [signIn, signedIn, invitation] as const;
