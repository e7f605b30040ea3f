/** What a page tells of how it tried to open an app (docs/concepts/deep-links.md#what-is-kept). */
export interface DebugSchemeReport {
  appUrl?: string | null;
  schemeEnd?: string | null;
  pathPart?: string | null;
  androidPackage?: string | null;
  appScheme?: string | null;
  intentUrl?: string | null;
}

/** A report as it is kept. */
export interface DebugScheme extends Required<DebugSchemeReport> {
  id: number;
  /** Null where neither package nor scheme say which app it is. */
  appId: number | null;
  receivedAt: Date;
}
