import { toRequest } from '../common/validation/to-request';
import { LinksByExternalId } from '../modules/links/external-ids/links-by-external-id';
import type { Link } from '../modules/links/link.entity';
import { SaveLinkRequest, UpdateLinkRequest } from '../modules/links/links.dto';
import { LinksRepository } from '../modules/links/links.repository';
import { LinksService } from '../modules/links/links.service';
import type { DemoApps } from './apps-and-domains';
import type { ClickTarget } from './click-targets';
import { type Demo, momentOf } from './demo';
import { DISABLED_ON, LINK_COUNT, linkPlan } from './link-plan';

const LAUNCH = { factor: 2.5, days: 6 };
const TOLD_EVERY = 100;

/** The links of the demo, and the clicks of people that earlier runs have counted. */
export async function fillLinks(
  demo: Demo,
  apps: DemoApps,
): Promise<{ targets: ClickTarget[]; counted: number }> {
  const { organizationId } = demo.caller;
  const repository = demo.get(LinksRepository);
  const targets: ClickTarget[] = [];
  let counted = 0;
  for (let number = 0; number < LINK_COUNT && !demo.stopping.aborted; number++) {
    const externalId = `demo-link-${number + 1}`;
    const known = await repository.findByExternalId(organizationId, externalId);
    if (!known) await create(demo, apps, number, externalId);
    const link = known ?? (await repository.getByExternalId(organizationId, externalId));
    counted += known?.clickCount ?? 0;
    targets.push(targetOf(demo, link, number));
    if (targets.length % TOLD_EVERY === 0) demo.say(`Links: ${targets.length} of ${LINK_COUNT}`);
  }
  return { targets, counted };
}

async function create(demo: Demo, apps: DemoApps, number: number, externalId: string): Promise<void> {
  const { caller, clock } = demo;
  const { day, disabled, fields } = linkPlan(demo, apps, number);
  const request = toRequest(SaveLinkRequest, fields);
  const { saved } = await clock.at(momentOf(demo, day), () =>
    demo.get(LinksByExternalId).save(caller, externalId, request),
  );
  if (!disabled) return;
  const change = toRequest(UpdateLinkRequest, { enabled: false });
  await clock.at(momentOf(demo, DISABLED_ON), () => demo.get(LinksService).update(caller, saved.id, change));
}

function targetOf(demo: Demo, link: Link, number: number): ClickTarget {
  const { share, disabled, isGlobal } = linkPlan(demo, null, number);
  const until = disabled ? momentOf(demo, DISABLED_ON) : demo.to;
  const { utmSource, utmMedium, utmTerm, utmContent, utmCampaign } = link;
  const utm = [utmSource, utmMedium, utmTerm, utmContent, utmCampaign] as const;
  return {
    kind: 'link',
    id: link.id,
    appIds: [link.iosAppId, link.androidAppId].filter((id) => id !== null),
    from: link.createdAt.getTime(),
    to: Math.min(until, link.expiresAt?.getTime() ?? Infinity),
    share,
    launch: LAUNCH,
    utm: utm.some((value) => value !== null) ? utm : null,
    variants: link.variants ?? [],
    isGlobal,
  };
}
