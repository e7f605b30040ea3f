/** Version of this package. */
export const version: string = __VERSION__;

declare const __VERSION__: string;
