interface SqlClient {
  sql(statement: string, parameters: unknown[]): Promise<unknown>;
}

/** Inserts the addresses of links and campaigns that were inserted by SQL. */
export async function addAddresses(query: (sql: string) => Promise<unknown>): Promise<void> {
  for (const [table, kind] of [
    ['links', 1],
    ['campaigns', 2],
  ] as const) {
    await query(
      `INSERT INTO addresses (address, kind, organization_id, tracked_link_id)
       SELECT domain_id || '/' || code, ${kind}, organization_id, id FROM ${table} WHERE NOT code_released
       ON CONFLICT DO NOTHING`,
    );
  }
}

/** Deletes the links of an organization, which frees their codes. */
export async function deleteLinks(app: SqlClient, organizationId: number): Promise<void> {
  await app.sql('DELETE FROM links WHERE organization_id = $1', [organizationId]);
  await app.sql('DELETE FROM addresses WHERE kind = 1 AND organization_id = $1', [organizationId]);
}
