import type { View } from '@quayside/sdk'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { withGrouping, type BuildListSearch } from '../list/build-list.search.ts'
import { isEmptySearch, isSameSearch, searchOfView } from './view-search.ts'

/**
 * Returns the filters, order and columns that are shown, whether they differ from those of the view, and a function that
 * returns the search parameters after a change. A view has no parameters as long as it is shown as saved.
 */
export function useListState(view: View | undefined, { build_count: count }: { build_count: number }) {
  const inUrl: BuildListSearch = useSearch({ strict: false })
  return useMemo(() => {
    const saved = view && withGrouping(searchOfView(view), count)
    const shownFor = (search: BuildListSearch) =>
      saved !== undefined && isEmptySearch(search) ? saved : withGrouping(search, count)
    const search = shownFor(inUrl)
    return {
      search,
      isChanged: saved !== undefined && !isSameSearch(search, saved),
      changed: (previous: BuildListSearch, change: Partial<BuildListSearch>): BuildListSearch => {
        if (saved === undefined) return { ...previous, ...change }
        const next = { ...shownFor(previous), ...change }
        return isSameSearch(next, saved) ? {} : next
      },
    }
  }, [view, inUrl, count])
}
