import type { ListedBuild } from '@quayside/sdk'
import { useCallback, useRef, useState } from 'react'

/**
 * Keeps the selected builds by ID, so that the selection survives reloading and scrolling. `select` selects the builds of
 * the line at a position, and with a range those of every loaded line from the last selected position.
 */
export function useSelection(buildsAt: (position: number) => readonly ListedBuild[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedBuild>>(new Map())
  const lastPosition = useRef<number | undefined>(undefined)
  const latest = useRef({ buildsAt, selected })
  latest.current = { buildsAt, selected }
  const select = useCallback((position: number, withRange: boolean) => {
    const { buildsAt, selected } = latest.current
    const from = withRange ? (lastPosition.current ?? position) : position
    const [start, end] = from < position ? [from, position] : [position, from]
    const builds = Array.from({ length: end - start + 1 }, (_, offset) => buildsAt(start + offset)).flat()
    const next = new Map(selected)
    const isRemoving = !withRange && buildsAt(position).every(({ id }) => next.has(id))
    for (const build of builds) {
      if (isRemoving) next.delete(build.id)
      else next.set(build.id, build)
    }
    lastPosition.current = position
    setSelected(next)
  }, [])
  const clear = useCallback(() => setSelected(new Map()), [])
  const selectAll = (builds: readonly ListedBuild[]) =>
    setSelected(new Map(builds.map((build) => [build.id, build])))
  return { selected, select, selectAll, clear }
}
