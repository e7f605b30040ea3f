import type { App } from '../app.entity';

/** An app that can be told from others: its platform knows it by more than its name. */
export type AssociatedApp = Pick<
  App,
  'organizationId' | 'platform' | 'path' | 'teamId' | 'sha256CertFingerprints'
> & {
  bundleId: string;
};

/** What Apple reads (developer.apple.com, "Supporting associated domains"), in the form of iOS 13 and later. */
interface AppleAppSiteAssociation {
  applinks: { details: { appIDs: string[]; components: { '/': string }[] }[] };
}

/** What Google reads (developer.android.com, "Configure website associations and dynamic rules"). */
interface AssetLink {
  relation: string[];
  target: { namespace: 'android_app'; package_name: string; sha256_cert_fingerprints: string[] };
  /** What no component matches does not open the app. */
  relation_extensions: Record<string, { dynamic_app_link_components: { '/': string }[] }>;
}

const HANDLE_URLS = 'delegate_permission/common.handle_all_urls';

/** Links under an app's path open that app. One without a team is left out, as its identifier is not known. */
export function appleAppSiteAssociation(apps: readonly AssociatedApp[]): AppleAppSiteAssociation {
  const paths = new Map<string, string[]>();
  for (const { platform, teamId, bundleId, path } of apps) {
    if (platform !== 'iOS' || teamId === null) continue;
    const appId = `${teamId}.${bundleId}`;
    paths.set(appId, [...(paths.get(appId) ?? []), path]);
  }
  const details = [...paths].map(([appId, own]) => ({ appIDs: [appId], components: componentsOf(own) }));
  return { applinks: { details } };
}

/**
 * A statement lets an app open every link of the domain. From Android 15 on the extension keeps it to the links under
 * its own path, and under those of its organization's iOS apps, where links that are tied to both stand; before, only
 * the app's own manifest does. An app without a fingerprint is left out.
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
 * Of two statements about one app, package and certificate, Android takes the extension of either. So there is one,
 * whoever has registered it; certificates with the same paths share theirs.
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

function componentsOf(paths: readonly string[]): { '/': string }[] {
  return paths.map((path) => ({ '/': `/${path}/*` }));
}
