/** Invalid settings; the message names each one. */
export class InvalidConfiguration extends Error {}
