/** Select list with the parts of a link's or campaign's URL, for a query on its table. */
export function placeColumns(table: string): string {
  return `
    (SELECT d.domain_name FROM custom_domains d
      WHERE d.id = ${table}.domain_id AND d.organization_id = ${table}.organization_id) AS "domainName",
    (SELECT a.path FROM apps a
      WHERE a.id = coalesce(${table}.ios_app_id, ${table}.android_app_id)
        AND a.organization_id = ${table}.organization_id) AS "appPath"`;
}
