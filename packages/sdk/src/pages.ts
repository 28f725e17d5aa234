type Page<Item> = { data: Item[]; pagination: { current_page: number; last_page: number } }

/**
 * Every item of a paginated list, one page asked for at a time:
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

/** Every item of a paginated list at once. */
export async function allItems<Item>(fetchPage: (page: number) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of everyItem(fetchPage)) items.push(item)
  return items
}
