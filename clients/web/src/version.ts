declare const __SDK_VERSION__: string;

/** The version in package.json, injected by the build. */
export const SDK_VERSION: string = __SDK_VERSION__;
