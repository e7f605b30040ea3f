export const VERSION: string = __VERSION__;

declare const __VERSION__: string;
