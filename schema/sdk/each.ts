interface Page<T> {
  data: T[];
  meta: { next_cursor: string | null; has_more: boolean };
}

/**
 * Every record of a list, page after page, as they are asked for:
 * `for await (const contact of each((query) => parlour.contacts.list({ query }), { sort: 'name' })) …`
 * @param query filters and order; a `cursor` says where to begin
 */
export async function* each<T, Q extends object>(
  list: (query: Q & { cursor?: string }) => Promise<{ data: Page<T> }>,
  query: Q,
): AsyncGenerator<T, void, undefined> {
  let next: Q & { cursor?: string } = query;
  for (;;) {
    const { data: page } = await list(next);
    yield* page.data;
    const cursor = page.meta.next_cursor;
    if (!page.meta.has_more || cursor === null) return;
    next = { ...query, cursor };
  }
}
