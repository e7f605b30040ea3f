import { App } from '@capacitor/app';
import { addresses, install, readme, run } from './scenario';

// A platform of its own that uses the plugins' implementations for the web.
window.CapacitorCustomPlatform = { name: 'ios', plugins: {} };

jest.mock('@capacitor/app', () => ({
  App: {
    getInfo: () => Promise.resolve({ version: '4.2.0' }),
    getLaunchUrl: jest.fn(),
    addListener: jest.fn(() => Promise.resolve()),
  },
}));

const listenerOf = (event) => App.addListener.mock.calls.find(([name]) => name === event)[1];

beforeEach(() => localStorage.clear());

it('tracks links, starts and purchases', async () => {
  await run(jest.requireActual('@waypost/app/capacitor'), 'ios', {
    startWith: (url) => App.getLaunchUrl.mockResolvedValue({ url }),
    open: (url) => listenerOf('appUrlOpen')({ url }),
    show: () => listenerOf('resume')(),
  });
  expect(Object.keys(localStorage).some((key) => key.includes('waypost.'))).toBe(true);
});

it('starts without an address', async () => {
  App.getLaunchUrl.mockResolvedValue(undefined);
  jest.resetModules();
  expect(await install(jest.requireActual('@waypost/app/capacitor'), 'ios')).toEqual([]);
});

it('does what its README says', async () => {
  App.getLaunchUrl.mockResolvedValue({ url: addresses.ios.readme });
  jest.resetModules();
  jest.doMock('@capacitor/app', () => ({ App }));
  await readme();
});
