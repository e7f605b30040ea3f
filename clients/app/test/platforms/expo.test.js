import AsyncStorage from '@react-native-async-storage/async-storage';
import * as Application from 'expo-application';
import * as Linking from 'expo-linking';
import { AppState, Platform } from 'react-native';
import { addresses, install, readme, run } from './scenario';

const os = Platform.OS;

jest.mock('expo-linking', () => ({ getInitialURL: jest.fn(), addEventListener: jest.fn() }));
jest.mock('expo-application', () => ({
  nativeApplicationVersion: '4.2.0',
  getInstallReferrerAsync: jest.fn(),
}));
jest.mock('expo-device', () => ({ osVersion: '26.1', modelId: 'iPhone18,1', modelName: 'iPhone 17 Pro' }));
jest.mock('expo-localization', () => ({
  getLocales: () => [{ languageTag: 'ko-KR' }],
  getCalendars: () => [{ timeZone: 'Asia/Seoul' }],
}));

const listenerOf = (module, event) => module.addEventListener.mock.calls.find(([name]) => name === event)[1];

beforeEach(() => AsyncStorage.clear());

it('tracks links, starts and purchases', async () => {
  await run(jest.requireActual('@waypost/app/expo'), os, {
    startWith: (url) => Linking.getInitialURL.mockResolvedValue(url),
    open: (url) => listenerOf(Linking, 'url')({ url }),
    show: () => listenerOf(AppState, 'change')('active'),
  });
});

it('reads the install referrer of Google Play', async () => {
  Linking.getInitialURL.mockResolvedValue(null);
  Application.getInstallReferrerAsync.mockResolvedValue(addresses[os].referrer);
  jest.resetModules();
  jest.doMock('expo-linking', () => Linking);
  jest.doMock('expo-application', () => Application);
  const links = await install(jest.requireActual('@waypost/app/expo'), os);
  expect(links.map(({ matchedBy }) => matchedBy)).toEqual(os === 'android' ? ['referrer'] : []);
});

it('does what its README says', async () => {
  Linking.getInitialURL.mockResolvedValue(addresses[os].readme);
  jest.resetModules();
  jest.doMock('expo-linking', () => Linking);
  await readme();
});
