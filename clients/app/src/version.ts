declare const __VERSION__: string;

/** Version of this package. */
export const version: string = __VERSION__;
