/** Second-level names below which countries register domains: `brand.co.kr` has no registered parent. */
const SECOND_LEVEL = new Set(
  'ac co com edu gob gouv gov govt ltd me mil ne net nom or org pe re sch web'.split(' '),
);

/** Whether a name is a registered domain itself, which has records that exclude a CNAME. */
export function isApex(domainName: string): boolean {
  const labels = domainName.split('.');
  const [second = '', country = ''] = labels.slice(-2);
  const isBelowCountry = country.length === 2 && SECOND_LEVEL.has(second);
  return labels.length <= (isBelowCountry ? 3 : 2);
}
