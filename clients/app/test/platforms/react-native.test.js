import AsyncStorage from '@react-native-async-storage/async-storage';
import { AppState, Linking, Platform } from 'react-native';
import { addresses, install, readme, run } from './scenario';

const os = Platform.OS;
const listenerOf = (module, event) => module.addEventListener.mock.calls.find(([name]) => name === event)[1];

beforeEach(() => AsyncStorage.clear());

it('tracks links, starts and purchases', async () => {
  const module = jest.requireActual('@waypost/app/react-native');
  await run(module, os, {
    appVersion: '4.2.0',
    startWith: (url) => Linking.getInitialURL.mockResolvedValue(url),
    open: (url) => listenerOf(Linking, 'url')({ url }),
    show: () => listenerOf(AppState, 'change')('active'),
  });
  expect((await AsyncStorage.getAllKeys()).some((key) => key.startsWith('waypost.'))).toBe(true);
});

it('reads the install referrer of Google Play', async () => {
  jest.resetModules();
  const { DeviceEventEmitter, NativeModules } = jest.requireActual('react-native');
  const value = { installReferrer: addresses[os].referrer };
  NativeModules.PlayInstallReferrer = {
    addListener: jest.fn(),
    removeListeners: jest.fn(),
    getInstallReferrerInfo: () => DeviceEventEmitter.emit('play_install_referrer_value', value),
  };
  const links = await install(jest.requireActual('@waypost/app/react-native'), os);
  expect(links.map(({ matchedBy }) => matchedBy)).toEqual(os === 'android' ? ['referrer'] : []);
});

it('does what its README says', async () => {
  jest.resetModules();
  jest.requireActual('react-native').Linking.getInitialURL.mockResolvedValue(addresses[os].readme);
  await readme();
});
