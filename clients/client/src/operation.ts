/** What the client knows of an operation, from the OpenAPI document. */
export interface Operation {
  readonly method: string;
  /** With `{name}` for each parameter of the path. */
  readonly path: string;
  /** Whether its credentials are those of an app. */
  readonly isForApp?: boolean;
  /** Whether it honours Idempotency-Key. */
  readonly takesKey?: boolean;
  /** Headers by the name of their parameter. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the query parameters of an operation with a body. Without a body, all but those of the path are. */
  readonly query?: readonly string[];
  /** Whether the body holds the other parameters, the list `items`, or the text of `file`. */
  readonly body?: 'fields' | 'items' | 'file';
  /** Name of the field with the items of a list. */
  readonly list?: string;
  /** The most items of a page of the list; absent for those with a cursor. */
  readonly maxSize?: number;
  readonly answer?: 'stream' | 'events';
}
