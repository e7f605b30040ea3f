type Params = Record<string, unknown>;

/**
 * A list: `await` it for the page that the parameters ask for, or iterate over it for the items of all pages from
 * there on.
 */
export class Listing<Page, Field extends keyof Page> implements Promise<Page> {
  readonly [Symbol.toStringTag] = 'Listing';
  private page?: Promise<Page>;

  constructor(
    private readonly read: (params: Params) => Promise<unknown>,
    private readonly field: Field,
    private readonly params: Params = {},
    /** Parameters for reading the whole list in few calls. */
    private readonly whole: Params = {},
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item<Page[Field]>, void, undefined> {
    for await (const page of this.pages()) yield* page[this.field] as Iterable<Item<Page[Field]>>;
  }

  /** The pages. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let params: Params | null = this.params;
    while (params) {
      const page = (await this.read({ ...this.whole, ...params })) as Page;
      yield page;
      params = after(page as Position, params);
    }
  }

  then<A = Page, B = never>(
    onFulfilled?: ((page: Page) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.page ??= this.read(this.params) as Promise<Page>).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page> {
    return this.then().finally(onFinally);
  }
}

type Item<List> = List extends readonly (infer Each)[] ? Each : never;

interface Position {
  /** Lists by cursor. */
  readonly nextCursor?: string | null;
  readonly hasMore?: boolean;
  /** Lists by page; those of apps and domains call it `number`. */
  readonly page?: number;
  readonly number?: number;
  readonly totalPages?: number;
}

/** Parameters of the next page, or null. */
function after(
  { nextCursor, hasMore = true, totalPages = 0, ...rest }: Position,
  params: Params,
): Params | null {
  if (nextCursor !== undefined)
    return nextCursor !== null && hasMore ? { ...params, cursor: nextCursor } : null;
  const next = (rest.page ?? rest.number ?? 0) + 1;
  return next < totalPages ? { ...params, page: next } : null;
}
