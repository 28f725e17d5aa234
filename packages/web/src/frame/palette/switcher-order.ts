import type { ShownOptions } from '../shown-applications.ts'

/** Returns all applications for the switcher: the pinned ones, the recent ones, and then the others by name. */
export function inSwitcherOrder<Application extends { id: string }>({
  applications,
  pins,
  recentIds,
  openId,
}: ShownOptions<Application>): Application[] {
  const first = [...pins.applicationIds, ...recentIds.filter((id) => id !== openId)]
  const rank = new Map([...new Set(first)].map((id, index) => [id, index]))
  return applications.toSorted((a, b) => (rank.get(a.id) ?? first.length) - (rank.get(b.id) ?? first.length))
}
