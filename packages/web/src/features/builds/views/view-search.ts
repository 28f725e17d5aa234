import type { View } from '@quayside/sdk'
import { columnsIn, columnsText, type OptionalColumn } from '../list/build-columns.tsx'
import { buildListSearch, type BuildListSearch } from '../list/build-list.search.ts'

/** Returns the state of the list that the view saves. */
export const searchOfView = ({
  query: { hidden_columns: hidden, ...query },
}: Pick<View, 'query'>): BuildListSearch =>
  buildListSearch({ ...query, ...(hidden === undefined ? {} : { hidden_columns: columnsText(hidden) }) })

/** Returns what a view saves of the list: everything but the trash, and the columns that are hidden now. */
export function viewQueryOf(
  { trashed: _, hidden_columns: _columns, ...search }: BuildListSearch,
  hidden: readonly OptionalColumn[],
): View['query'] {
  return { ...withoutUnset(search), hidden_columns: [...hidden] }
}

const withoutUnset = <T extends object>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  }

export const isEmptySearch = (search: BuildListSearch): boolean =>
  Object.values(search).every((value) => value === undefined)

/** Returns whether two states show the same list. The order of the values of a filter does not matter to people. */
export const isSameSearch = (one: BuildListSearch, other: BuildListSearch): boolean =>
  canonical(one) === canonical(other)

function canonical(search: BuildListSearch): string {
  const { sort_by = 'created_at', sort = 'desc', hidden_columns, ...filters } = search
  const columns = columnsIn(hidden_columns)?.toSorted()
  const entries = Object.entries({ ...withoutUnset(filters), sort_by, sort, columns })
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
