import type { GroupedBuild, ListedBuild } from '@quayside/sdk'

/** What a row of the builds list shows. */
export type BuildLine = {
  applicationId: string
  build: GroupedBuild
  /** The build and the other ones of its group. */
  builds: readonly ListedBuild[]
  isOpen: boolean
  isSelected: boolean
  onSelect: (withRange: boolean) => void
  onToggle: () => void
}

/** Returns whether the row has all builds of its group, so that an action can apply to the group. */
export const isComplete = ({ build, builds }: BuildLine): boolean =>
  builds.length === (build.group?.size ?? 1)
