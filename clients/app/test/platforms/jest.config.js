const modulePaths = ['<rootDir>/node_modules'];
const moduleNameMapper = {
  '^@waypost/app/(.*)$': '<rootDir>/../../dist/$1.cjs',
  // Its own mock, which keeps values as the device does.
  '^@react-native-async-storage/async-storage$':
    '<rootDir>/node_modules/@react-native-async-storage/async-storage/jest/async-storage-mock.js',
};
const common = { rootDir: __dirname, modulePaths, moduleNameMapper, setupFiles: ['<rootDir>/quiet.js'] };
const android = { defaultPlatform: 'android', platforms: ['android', 'ios', 'native'] };

const project = (name, settings) => ({
  ...common,
  displayName: name,
  globals: { project: name },
  ...settings,
});

module.exports = {
  projects: [
    project('react-native', { preset: 'react-native', testMatch: ['<rootDir>/react-native.test.js'] }),
    project('react-native-android', {
      preset: 'react-native',
      haste: android,
      testMatch: ['<rootDir>/react-native.test.js'],
    }),
    project('expo', { preset: 'jest-expo/ios', testMatch: ['<rootDir>/expo.test.js'] }),
    project('expo-android', { preset: 'jest-expo/android', testMatch: ['<rootDir>/expo.test.js'] }),
    project('capacitor', {
      testEnvironment: '<rootDir>/environment.cjs',
      testMatch: ['<rootDir>/capacitor.test.js'],
    }),
  ],
};
