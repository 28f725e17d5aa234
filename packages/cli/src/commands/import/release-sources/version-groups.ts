import type { ListedBuild, ListedFile, ListedRelease } from './release-source.ts'

/** A build of a service that has no releases, only builds with versions. */
export type UploadedBuild = Omit<ListedFile, 'build'> & {
  build: Omit<ListedBuild, 'isInRelease'>
  /** Builds with the same group and version form a release. */
  group: string
  /** Names what a release contains the latest build of, such as a platform. */
  variant: string
  /** Whether the build may be in a release. */
  isEnabled: boolean
  title: string
}

/**
 * Groups builds to releases: one for each version of a group, with the notes and the date of its latest build. It contains
 * the latest build of each variant.
 */
export function groupByVersion(builds: UploadedBuild[]): ListedRelease[] {
  const newestFirst = builds.toSorted((a, b) => (b.uploadedAt ?? '').localeCompare(a.uploadedAt ?? ''))
  const groups = groupsOf(newestFirst, ({ group, build }) => `${group} ${build.version}`)
  return [...groups].flatMap(([id, members]) => {
    const released = newestOfVariants(members)
    const newest = members.find(({ isEnabled }) => isEnabled) ?? members[0]
    if (newest === undefined) return []
    const { build, uploadedAt, title } = newest
    return {
      id,
      title,
      tag: build.version,
      notes: build.notes,
      date: uploadedAt,
      status: released.size === 0 ? ('draft' as const) : ('published' as const),
      isPrerelease: false,
      url: null,
      commit: build.commit,
      files: members.map((member) => ({
        ...member,
        build: { ...member.build, isInRelease: released.has(member) },
      })),
    }
  })
}

function newestOfVariants(newestFirst: UploadedBuild[]): Set<UploadedBuild> {
  const found = new Map<string, UploadedBuild>()
  for (const build of newestFirst)
    if (build.isEnabled && !found.has(build.variant)) found.set(build.variant, build)
  return new Set(found.values())
}

/** Returns the items with each key. `Map.groupBy` requires Node 21. */
export function groupsOf<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
