import type { App } from '../app.entity';

export type AssociatedApp = Pick<
  App,
  'organizationId' | 'platform' | 'path' | 'teamId' | 'sha256CertFingerprints'
> & {
  bundleId: string;
};

/** Apple's format since iOS 13 (developer.apple.com, "Supporting associated domains"). */
interface AppleAppSiteAssociation {
  applinks: { details: { appIDs: string[]; components: { '/': string }[] }[] };
}

/** Google's format (developer.android.com, "Configure website associations and dynamic rules"). */
interface AssetLink {
  relation: string[];
  target: { namespace: 'android_app'; package_name: string; sha256_cert_fingerprints: string[] };
  /** Paths that match no component do not open the app. */
  relation_extensions: Record<string, { dynamic_app_link_components: { '/': string }[] }>;
}

const HANDLE_URLS = 'delegate_permission/common.handle_all_urls';

/** Apple reads at most this much of a file. */
export const APPLE_MAX_BYTES = 128 * 1024;

/**
 * The file that makes iOS open links under an app's path in that app. Apps without a team ID are omitted, because their
 * app ID is unknown.
 * @param maxBytes limit of the file's size, beyond which the last apps are omitted
 */
export function appleAppSiteAssociation(
  apps: readonly AssociatedApp[],
  maxBytes = Infinity,
): AppleAppSiteAssociation {
  const paths = new Map<string, string[]>();
  for (const { platform, teamId, bundleId, path } of apps) {
    if (platform !== 'iOS' || teamId === null) continue;
    const appId = `${teamId}.${bundleId}`;
    paths.set(appId, [...(paths.get(appId) ?? []), path]);
  }
  const details = [...paths].map(([appId, own]) => ({ appIDs: [appId], components: componentsOf(own) }));
  let left = maxBytes - JSON.stringify({ applinks: { details: [] } }).length;
  const fitting = details.filter((each) => (left -= JSON.stringify(each).length + 1) >= 0);
  return { applinks: { details: fitting } };
}

/**
 * The file that lets Android apps open links of the domain. Without the extension, a statement covers every link; since
 * Android 15, the extension restricts it to links under the app's own path and those of its organization's iOS apps,
 * because a link for both platforms has the iOS path. Older versions rely on the app's manifest. Apps without a
 * fingerprint are omitted.
 */
export function assetLinks(apps: readonly AssociatedApp[]): AssetLink[] {
  const packages = new Map<string, Map<string, string[]>>();
  const iosPaths = new Map<number, string[]>();
  for (const { organizationId, platform, path } of apps) {
    if (platform !== 'iOS') continue;
    const known = iosPaths.get(organizationId);
    if (known) known.push(path);
    else iosPaths.set(organizationId, [path]);
  }
  for (const { organizationId, platform, bundleId, path, sha256CertFingerprints } of apps) {
    if (platform !== 'Android') continue;
    const own = [path, ...(iosPaths.get(organizationId) ?? [])];
    const paths = packages.get(bundleId) ?? new Map<string, string[]>();
    for (const certificate of sha256CertFingerprints) {
      paths.set(certificate, [...new Set([...(paths.get(certificate) ?? []), ...own])]);
    }
    packages.set(bundleId, paths);
  }
  return [...packages].flatMap(([name, paths]) => statementsOf(name, paths));
}

/**
 * Android may use the extension of either of two statements about the same package and certificate. Each pair therefore
 * gets one statement, even across organizations; certificates with the same paths share one.
 */
function statementsOf(packageName: string, pathsOf: ReadonlyMap<string, string[]>): AssetLink[] {
  const sharing = new Map<string, { fingerprints: string[]; paths: string[] }>();
  for (const [certificate, paths] of pathsOf) {
    const fingerprints = sharing.get(paths.join())?.fingerprints ?? [];
    sharing.set(paths.join(), { fingerprints: [...fingerprints, certificate], paths });
  }
  return [...sharing.values()].map(({ fingerprints, paths }) => ({
    relation: [HANDLE_URLS],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
    relation_extensions: {
      [HANDLE_URLS]: {
        dynamic_app_link_components: componentsOf(paths),
      },
    },
  }));
}

/** Whether a served apple-app-site-association makes links under the app's path open it. */
export function isInAppleFile(content: string, { teamId, bundleId, path }: Identified): boolean {
  const { applinks } = JSON.parse(content) as AppleAppSiteAssociation;
  return applinks.details.some(
    ({ appIDs, components }) => appIDs.includes(`${teamId}.${bundleId}`) && isAmong(components, path),
  );
}

/** Whether a served assetlinks.json makes links under the app's path open it. */
export function isInAssetLinks(content: string, { bundleId, path }: Identified): boolean {
  return (JSON.parse(content) as AssetLink[]).some(
    ({ target, relation_extensions: extensions }) =>
      target.package_name === bundleId &&
      isAmong(extensions[HANDLE_URLS]?.dynamic_app_link_components ?? [], path),
  );
}

type Identified = Pick<App, 'teamId' | 'bundleId' | 'path'>;

function isAmong(components: readonly { '/': string }[], path: string): boolean {
  return componentsOf([path]).every((own) => components.some((each) => each['/'] === own['/']));
}

function componentsOf(paths: readonly string[]): { '/': string }[] {
  return paths.map((path) => ({ '/': `/${path}/*` }));
}
