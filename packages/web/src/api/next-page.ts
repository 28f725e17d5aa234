type Page = { pagination: { current_page: number; last_page: number } }

/** The options of an infinite query that loads the numbered pages of the API one after another. */
export const pageByPage = {
  initialPageParam: 1,
  getNextPageParam: ({ pagination: { current_page: current, last_page: last } }: Page): number | undefined =>
    current < last ? current + 1 : undefined,
}
