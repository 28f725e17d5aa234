import type { GroupedBuild, ListedBuild } from '@quayside/sdk'
import { useCallback, useRef, useState } from 'react'
import { ungroup } from '../build.queries.ts'
import type { useBuildPages } from './use-build-pages.ts'

/** What a line of the list shows: a row, or a build of the open group above it. */
export type Line = { build: GroupedBuild; isMember: boolean }

type OpenGroup = { position: number; members: readonly ListedBuild[] }

/**
 * Returns the lines of the list: its rows, and below each open group its builds. `toggle` opens or closes the group of a
 * build. Lines of rows that are not loaded yet are undefined.
 */
export function useBuildLines(pages: ReturnType<typeof useBuildPages>) {
  const [opened, setOpened] = useState<ReadonlyMap<string, OpenGroup>>(new Map())
  const groups = openGroups(pages, opened)
  const latest = useRef(pages)
  latest.current = pages
  const toggle = useCallback((build: GroupedBuild) => {
    const position = latest.current.positionOf(build.id) ?? 0
    setOpened((known) => {
      const next = new Map(known)
      if (!next.delete(build.id)) next.set(build.id, { position, members: membersOf(build) })
      return next
    })
  }, [])
  const closeAll = useCallback(() => setOpened(new Map()), [])
  const place = (index: number) => placeOf(groups, index)
  const lineAt = (index: number): Line | undefined => {
    const { position, member } = place(index)
    const build = member ?? pages.rowAt(position)
    return build && { build, isMember: member !== undefined }
  }
  return {
    total: pages.total + groups.reduce((sum, { members }) => sum + members.length, 0),
    lineAt,
    /** Returns the position of the row of a line. */
    rowOf: (index: number): number => place(index).position,
    buildsAt: (index: number): ListedBuild[] => buildsOf(lineAt(index)),
    isOpen: (build: GroupedBuild): boolean => opened.has(build.id),
    toggle,
    closeAll,
  }
}

/** Returns the builds that a line stands for: the whole group if it is the line of the newest. */
export const buildsOf = (line: Line | undefined): ListedBuild[] =>
  line === undefined ? [] : ungroup([line.build])

/** Returns the builds of a group, each as a line of its own. */
const membersOf = ({ group, ...newest }: GroupedBuild): ListedBuild[] => [newest, ...(group?.builds ?? [])]

/** Returns the open groups in their order. Rows may have moved or left the list since a group was opened. */
function openGroups(
  { positionOf, rowAt }: ReturnType<typeof useBuildPages>,
  opened: ReadonlyMap<string, OpenGroup>,
): OpenGroup[] {
  return [...opened]
    .flatMap(([id, known]) => {
      const position = positionOf(id)
      if (position === undefined) return rowAt(known.position) === undefined ? [known] : []
      const row = rowAt(position)
      return row === undefined || ungroup([row]).length === 1 ? [] : [{ position, members: membersOf(row) }]
    })
    .toSorted((a, b) => a.position - b.position)
}

/** Returns the row of a line, and the build if it is one of an open group. */
function placeOf(
  groups: readonly OpenGroup[],
  index: number,
): { position: number; member?: ListedBuild | undefined } {
  let above = 0
  for (const { position, members } of groups) {
    const below = index - above - position
    if (below <= 0) break
    if (below <= members.length) return { position, member: members[below - 1] }
    above += members.length
  }
  return { position: index - above }
}
