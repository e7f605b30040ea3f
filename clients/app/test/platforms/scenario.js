/** What the service has registered for this project, and where it is. */
const { WAYPOST_TEST } = process.env;
const { url, apps, addresses, quickStart } = JSON.parse(WAYPOST_TEST)[global.project];

/**
 * Starts the app by an address, opens another while it runs, brings it to the foreground and tracks.
 * @param module the adapter
 * @param device how the platform is driven: `startWith(url)`, then `open(url)` and `show()`
 */
async function run(module, os, device) {
  const { id, publishableKey } = apps[os];
  device.startWith(addresses[os].first);
  const waypost = module.createWaypost({
    appId: id,
    publishableKey,
    url,
    appVersion: device.appVersion,
  });
  expect(module.createWaypost({ appId: id, publishableKey, url })).toBe(waypost);
  const links = [];
  waypost.onDeepLink((link) => links.push(link));
  await waypost.trackEvent('look');
  await waypost.flush();
  device.open(addresses[os].second);
  await waypost.trackEvent('look');
  await waypost.flush();
  device.show();
  await waypost.trackPurchase(10, 'USD');
  await waypost.flush();
  expect(links.map(({ url, matchedBy, isFirstLaunch }) => ({ url, matchedBy, isFirstLaunch }))).toEqual([
    { url: addresses[os].first, matchedBy: 'address', isFirstLaunch: true },
    { url: addresses[os].second, matchedBy: 'address', isFirstLaunch: false },
  ]);
  return waypost;
}

/** Starts the app for the first time without an address. */
async function install(module, os) {
  const { id, publishableKey } = apps[os];
  const waypost = module.createWaypost({ appId: id, publishableKey, url });
  const links = [];
  waypost.onDeepLink((link) => links.push(link));
  await waypost.flush();
  return links;
}

/** Runs the quick start of the README, with the app opened by an address. */
async function readme() {
  global.openScreen = jest.fn();
  const { waypost } = jest.requireActual(quickStart);
  await waypost.flush();
  await waypost.flush();
  expect(global.openScreen.mock.calls).toEqual([['exampleshop://readme']]);
}

module.exports = { addresses, install, readme, run };
