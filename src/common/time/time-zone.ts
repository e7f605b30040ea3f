/** Names known to JavaScript but not to Postgres. */
const LEGACY_ZONES = /^(SystemV\/|US\/Pacific-New$)/i;

/** Current IANA names of zones for which Intl returns an outdated one. */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const MAX_NAME = 100;
const MAX_KNOWN = 1_000;
const known = new Map<string, string | null>();

/** The canonical IANA name of a time zone, given in any letter case or by an alias; null if it is unknown. */
export function timeZoneName(text: string): string | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  const name = resolvedName(text);
  if (known.size < MAX_KNOWN && text.length <= MAX_NAME) known.set(text, name);
  return name;
}

function resolvedName(text: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text) || LEGACY_ZONES.test(text)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return CURRENT_NAMES[timeZone] ?? timeZone;
  } catch {
    return null;
  }
}
