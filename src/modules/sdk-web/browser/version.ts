declare const __SDK_VERSION__: string;

/** That of package.json; the build puts it here. */
export const SDK_VERSION: string = __SDK_VERSION__;
