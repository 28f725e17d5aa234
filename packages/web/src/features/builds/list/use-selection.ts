import type { ListedBuild } from '@quayside/sdk'
import { useCallback, useRef, useState } from 'react'

/**
 * Keeps the selected builds by ID, so that the selection survives reloading and scrolling. `select` with a range selects
 * every loaded build from the last selected position.
 */
export function useSelection(buildAt: (position: number) => ListedBuild | undefined) {
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedBuild>>(new Map())
  const lastPosition = useRef<number | undefined>(undefined)
  const latest = useRef({ buildAt, selected })
  latest.current = { buildAt, selected }
  const select = useCallback((position: number, withRange: boolean) => {
    const { buildAt, selected } = latest.current
    const from = withRange ? (lastPosition.current ?? position) : position
    const [start, end] = from < position ? [from, position] : [position, from]
    const builds = Array.from({ length: end - start + 1 }, (_, offset) => buildAt(start + offset)).filter(
      (build) => build !== undefined,
    )
    const next = new Map(selected)
    const target = buildAt(position)
    const isRemoving = !withRange && target !== undefined && next.has(target.id)
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
