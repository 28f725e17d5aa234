import type { GroupedBuild } from '@quayside/sdk'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { buildPageQuery, buildsPerPage, platformsOf, ungroup } from '../build.queries.ts'
import { groupingOf, type BuildListSearch } from './build-list.search.ts'

/**
 * Returns the rows around the visible ones: the total, and each row by its position in the list. Positions that are not
 * loaded yet are undefined. While a changed filter loads, the rows of the previous one stay.
 */
export function useBuildPages(
  applicationId: string,
  search: BuildListSearch,
  [firstPage, lastNeeded]: readonly [number, number],
) {
  const listed = { ...search, group_by: groupingOf(search) }
  const start = useQuery({ ...buildPageQuery(applicationId, listed, 1), placeholderData: keepPreviousData })
  const total = start.data?.pagination.total ?? 0
  const lastPage = Math.max(1, Math.ceil(total / buildsPerPage))
  const from = Math.max(2, firstPage)
  const to = Math.min(lastPage, lastNeeded)
  const numbers = start.isPlaceholderData
    ? []
    : Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset)
  const pages = useQueries({ queries: numbers.map((page) => buildPageQuery(applicationId, listed, page)) })
  const rows = [start, ...pages].flatMap(({ data }) => data?.data ?? [])
  const room = useRoom(rows, start.isPlaceholderData ? undefined : JSON.stringify([applicationId, listed]))
  return {
    total,
    isPending: start.isPending,
    /** Whether the rows belong to the previous filter. */
    isStale: start.isPlaceholderData,
    error: start.error ?? pages.find(({ error }) => error !== null)?.error ?? null,
    retry: () => void Promise.all([start.refetch(), ...pages.map(({ refetch }) => refetch())]),
    rowAt: (position: number): GroupedBuild | undefined => {
      const page = Math.floor(position / buildsPerPage) + 1
      const { data } = page === 1 ? start : (pages[page - from] ?? {})
      return data?.data[position % buildsPerPage]
    },
    /** Returns the position of a row that is loaded. */
    positionOf: (buildId: string): number | undefined => {
      for (const [index, { data }] of [start, ...pages].entries()) {
        const found = data?.data.findIndex(({ id }) => id === buildId) ?? -1
        if (found >= 0) return (index === 0 ? 0 : (from + index - 2) * buildsPerPage) + found
      }
      return undefined
    },
    ...room,
    /** Every loaded build, for suggestions and for selecting all that is shown. */
    loaded: ungroup(rows),
  }
}

/** What needs more room in a column. */
export type Room = {
  /** The most platforms of a row, which have an icon each. */
  mostPlatforms: number
  /** Whether a row has several builds, and therefore a button that opens it. */
  hasGroups: boolean
}

/**
 * Returns what the rows that were loaded since `list` changed need. It only grows, so that no column moves, and no row
 * renders again, when rows far away are no longer loaded. Without `list`, the rows are those of the previous one.
 */
function useRoom(rows: readonly GroupedBuild[], list: string | undefined): Room {
  const [known, setKnown] = useState<Room & { list?: string }>({ mostPlatforms: 1, hasGroups: false })
  if (list === undefined) return known
  const before = known.list === list ? known : undefined
  const room = {
    list,
    mostPlatforms: Math.max(
      before?.mostPlatforms ?? 1,
      ...rows.map((row) => platformsOf(ungroup([row])).length),
    ),
    hasGroups: before?.hasGroups === true || rows.some(({ group }) => (group?.size ?? 1) > 1),
  }
  const isKnown = before?.mostPlatforms === room.mostPlatforms && before.hasGroups === room.hasGroups
  if (!isKnown) setKnown(room)
  return isKnown ? before : room
}

/** Keeps the numbers of the pages around the drawn rows, which change much less often than the rows. */
export function usePageRange() {
  const [pageRange, setPageRange] = useState<readonly [number, number]>([1, 1])
  const onRange = useCallback((first: number, last: number) => {
    const from = Math.floor(first / buildsPerPage) + 1
    const to = Math.floor((last + buildsPerPage / 4) / buildsPerPage) + 1
    setPageRange((known) => (known[0] === from && known[1] === to ? known : [from, to]))
  }, [])
  return { pageRange, onRange }
}
