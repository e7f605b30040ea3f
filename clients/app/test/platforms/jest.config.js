const modulePaths = ['<rootDir>/node_modules'];
const moduleNameMapper = {
  '^@waypost/app/(.*)$': '<rootDir>/../../dist/$1.cjs',
  // Its own mock, which keeps values as the device does.
  '^@react-native-async-storage/async-storage$':
    '<rootDir>/node_modules/@react-native-async-storage/async-storage/jest/async-storage-mock.js',
};
const common = { rootDir: __dirname, modulePaths, moduleNameMapper, setupFiles: ['<rootDir>/quiet.js'] };
const android = { defaultPlatform: 'android', platforms: ['android', 'ios', 'native'] };

module.exports = {
  projects: [
    {
      ...common,
      displayName: 'react-native',
      preset: 'react-native',
      testMatch: ['<rootDir>/react-native.test.js'],
    },
    {
      ...common,
      displayName: 'react-native-android',
      preset: 'react-native',
      haste: android,
      testMatch: ['<rootDir>/react-native.test.js'],
    },
    { ...common, displayName: 'expo', preset: 'jest-expo/ios', testMatch: ['<rootDir>/expo.test.js'] },
    {
      ...common,
      displayName: 'expo-android',
      preset: 'jest-expo/android',
      testMatch: ['<rootDir>/expo.test.js'],
    },
    {
      ...common,
      displayName: 'capacitor',
      testEnvironment: '<rootDir>/environment.cjs',
      testMatch: ['<rootDir>/capacitor.test.js'],
    },
  ],
};
