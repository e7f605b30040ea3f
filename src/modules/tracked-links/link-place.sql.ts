/** What the address of a link or campaign is made of, as columns of the query that reads its table. */
export function placeColumns(table: string): string {
  return `
    (SELECT d.domain_name FROM custom_domains d
      WHERE d.id = ${table}.domain_id AND d.organization_id = ${table}.organization_id) AS "domainName",
    (SELECT a.path FROM apps a
      WHERE a.id = coalesce(${table}.ios_app_id, ${table}.android_app_id)
        AND a.organization_id = ${table}.organization_id) AS "appPath"`;
}
