/** A page's report of its attempt to open an app (docs/concepts/deep-links.md#what-is-kept). */
export interface DebugSchemeReport {
  appUrl?: string | null;
  schemeEnd?: string | null;
  pathPart?: string | null;
  androidPackage?: string | null;
  appScheme?: string | null;
  intentUrl?: string | null;
}

export interface DebugScheme extends Required<DebugSchemeReport> {
  id: number;
  /** Null if neither package nor scheme identifies the app. */
  appId: number | null;
  receivedAt: Date;
}
