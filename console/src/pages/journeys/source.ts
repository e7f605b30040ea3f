/** What led to sessions: links, campaigns or neither, or a certain link or campaign. */
export interface Source {
  readonly type: 'url' | 'campaign' | 'direct';
  readonly id?: number;
}

/** Parses `url`, `campaign`, `direct`, `url:12` or `campaign:3`; null for other text, which means all sources. */
export function readSource(text: string): Source | null {
  const [, type, id] = /^(url|campaign|direct)(?::(\d{1,15}))?$/.exec(text) ?? [];
  if (type === 'direct') return id === undefined ? { type } : null;
  if (type !== 'url' && type !== 'campaign') return null;
  return id === undefined ? { type } : { type, id: Number(id) };
}

/** Query parameters for a certain link or campaign. */
export function resourceOf(source: Source | null): { urlId?: number; campaignId?: number } {
  if (source?.id === undefined) return {};
  return source.type === 'url' ? { urlId: source.id } : { campaignId: source.id };
}
