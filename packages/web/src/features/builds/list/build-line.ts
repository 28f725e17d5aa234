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
