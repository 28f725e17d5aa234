type Page<Item> = { data: Item[]; pagination: { current_page: number; last_page: number } }

/**
 * Yields every item of a paginated list, fetching one page at a time. Example:
 * `for await (const build of everyItem((page) => client.listBuilds({ application_id, page })))`.
 */
export async function* everyItem<Item>(
  fetchPage: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page++) {
    const { data, pagination } = await fetchPage(page)
    yield* data
    if (page >= pagination.last_page || data.length === 0) return
  }
}

/** Returns all items of a paginated list as an array. */
export async function allItems<Item>(fetchPage: (page: number) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of everyItem(fetchPage)) items.push(item)
  return items
}
