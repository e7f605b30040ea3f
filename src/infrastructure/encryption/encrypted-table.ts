/** Where encrypted values are kept, for the rotation of keys: every table that has some is named by one of these. */
export interface EncryptedTable {
  readonly table: string;
  /** SQL of the organization that its values are bound to. */
  readonly organizationId: string;
  /** SQL of the row id that they are bound to, unique within the organization. */
  readonly rowId: string;
  /** Columns of type text, under their own names in the cell. */
  readonly columns: readonly string[];
}
