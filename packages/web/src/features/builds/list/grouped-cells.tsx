import { UnstyledButton } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { buildText } from '../../../text/builds/build.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { Hint } from '../../../ui/hint.tsx'
import { IconChevronDown } from '../../../ui/icons/icons.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { platformsOf } from '../build.queries.ts'
import type { BuildLine } from './build-line.ts'
import classes from './grouped-cells.module.css'

type Builds = readonly ListedBuild[]

export const maxIcons = 3

/** Shows the first platforms of builds, and the others on hover. */
export function PlatformIcons({ builds }: { builds: Builds }) {
  const platforms = platformsOf(builds)
  const shown = platforms.slice(0, platforms.length > maxIcons ? maxIcons - 1 : maxIcons)
  const rest = platforms.slice(shown.length)
  return (
    <span className={classes.icons}>
      {shown.map((platform) => (
        <PlatformIcon key={platform.identifier} platform={platform} />
      ))}
      {rest.length > 0 && (
        <Hint label={rest.map(({ name }) => name).join(', ')}>
          <span className="soft" data-interactive>
            +{rest.length}
          </span>
        </Hint>
      )}
    </span>
  )
}

type Toggled = Pick<BuildLine, 'build' | 'builds' | 'isOpen' | 'onToggle'>

/** Shows how many builds a group has, and opens it. */
export function GroupToggle({ line: { build, builds, isOpen, onToggle } }: { line: Toggled }) {
  const size = build.group?.size ?? 1
  if (size === 1) return null
  const isPart = isOpen && size > builds.length
  const text = isPart ? buildText.group.newest(builds.length, size) : plural(size, 'build')
  const label = isOpen ? buildText.group.close(build, text) : buildText.group.open(build, size)
  return (
    <UnstyledButton
      className={classes.toggle}
      data-interactive
      aria-expanded={isOpen}
      aria-label={label}
      onClick={onToggle}
    >
      <span className={classes.text}>{text}</span>
      <span className={classes.count}>{isPart ? `${builds.length}/${size}` : size}</span>
      <IconChevronDown size={13} aria-hidden />
    </UnstyledButton>
  )
}

/** Returns the names of the streams of builds, each once. */
export const streamNames = (builds: Builds): string =>
  [...new Set(builds.map(({ stream }) => stream.name))].join(', ')

/** Returns the labels of builds, each once. */
export const labelsOf = (builds: Builds): ListedBuild['labels'] => [
  ...new Map(builds.flatMap(({ labels }) => labels).map((label) => [label.id, label])).values(),
]

export const totalBytes = (builds: Builds): number =>
  builds.reduce((sum, { size_total_bytes: size }) => sum + size, 0)
