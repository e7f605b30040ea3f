import type { Schemas } from '../../api/client';

/** `exampleshop://` becomes `exampleshop`. */
export function schemeName(scheme: string): string {
  return scheme.replace(/:\/\/$/, '');
}

export function urlType(scheme: string): string {
  return `<key>CFBundleURLTypes</key>
<array>
  <dict>
    <key>CFBundleURLSchemes</key>
    <array><string>${scheme}</string></array>
  </dict>
</array>`;
}

const CATEGORIES = `  <action android:name="android.intent.action.VIEW" />
  <category android:name="android.intent.category.DEFAULT" />
  <category android:name="android.intent.category.BROWSABLE" />`;

/** @param paths of the apps whose links the app opens */
export function intentFilters(
  { scheme }: Schemas['AppResponse'],
  hosts: readonly string[],
  paths: readonly string[],
): string {
  const data = [
    '<data android:scheme="https" />',
    ...hosts.map((host) => `<data android:host="${host}" />`),
    ...paths.map((path) => `<data android:pathPrefix="/${path}/" />`),
  ];
  const links = `<intent-filter android:autoVerify="true">
${CATEGORIES}
${data.map((line) => `  ${line}`).join('\n')}
</intent-filter>`;
  if (scheme === null) return links;
  return `${links}
<intent-filter>
${CATEGORIES}
  <data android:scheme="${schemeName(scheme)}" />
</intent-filter>`;
}

export const INSTALL_REFERRER = `dependencies {
  implementation("com.android.installreferrer:installreferrer:2.2")
}`;

export function webSnippet({ id, publishableKey }: Schemas['AppResponse']): string {
  return `<script src="${location.origin}/sdk/web/latest/waypost.js"></script>
<script>
  Waypost.init({ appId: ${id}, publishableKey: '${publishableKey}' });
</script>`;
}
