import { Checkbox, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { GroupedBuild, ListedBuild } from '@quayside/sdk'
import { buildText } from '../../../text/builds/build.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { ungroup, versionText } from '../../builds/build.queries.ts'
import { GroupToggle, PlatformIcons, streamNames, totalBytes } from '../../builds/list/grouped-cells.tsx'
import classes from './build-options.module.css'

type Choice = {
  /** The selected builds by ID. */
  chosen: ReadonlyMap<string, ListedBuild>
  onChoose: (builds: readonly ListedBuild[], isChosen: boolean) => void
}

type Props = Choice & {
  /** Undefined while they are loading. */
  rows: readonly GroupedBuild[] | undefined
  /** IDs of builds that cannot be selected. */
  existing: readonly string[]
}

/** Lists builds for selection. A version with several builds is one row, which opens. */
export function BuildOptions({ rows, existing, ...choice }: Props) {
  if (rows === undefined)
    return Array.from({ length: 6 }, (_, index) => <Skeleton key={index} height={20} my={12} />)
  const options = rows
    .map((row) => ({ row, builds: ungroup([row]).filter(({ id }) => !existing.includes(id)) }))
    .filter(({ builds }) => builds.length > 0)
  if (options.length === 0)
    return (
      <Text c="dimmed" p="md" ta="center">
        {releaseText.builds.noMatch}
      </Text>
    )
  return options.map(({ row, builds }) => {
    const [first] = builds
    return first !== undefined && builds.length === 1 ? (
      <BuildOption key={row.id} build={first} {...choice} />
    ) : (
      <GroupOption key={row.id} row={row} builds={builds} {...choice} />
    )
  })
}

function GroupOption({ row, builds, ...choice }: Choice & { row: GroupedBuild; builds: ListedBuild[] }) {
  const [isOpen, { toggle }] = useDisclosure()
  const { chosen, onChoose } = choice
  const count = builds.filter(({ id }) => chosen.has(id)).length
  return (
    <div className={classes.group}>
      <div className={classes.option}>
        <label className={classes.label}>
          <Checkbox
            size="xs"
            checked={count === builds.length}
            indeterminate={count > 0 && count < builds.length}
            onChange={() => onChoose(builds, count < builds.length)}
            aria-label={buildText.group.builds(row, builds.length)}
          />
          <PlatformIcons builds={builds} />
          <span className={classes.version}>{row.version}</span>
          <span className={classes.soft}>{streamNames(builds)}</span>
        </label>
        <GroupToggle line={{ build: row, builds, isOpen, onToggle: toggle }} />
        <BuildSize bytes={totalBytes(builds)} time={row.created_at} />
      </div>
      {isOpen && builds.map((build) => <BuildOption key={build.id} build={build} {...choice} isMember />)}
    </div>
  )
}

function BuildOption({ build, chosen, onChoose, isMember = false }: OptionProps) {
  const isChosen = chosen.has(build.id)
  return (
    <label className={classes.option} data-member={isMember || undefined}>
      <Checkbox
        size="xs"
        checked={isChosen}
        onChange={() => onChoose([build], !isChosen)}
        aria-label={`${build.platform.name} ${versionText(build)}`}
      />
      <PlatformIcon platform={build.platform} />
      <span className={classes.version}>{versionText(build)}</span>
      <span className={classes.soft}>{build.stream.name}</span>
      <BuildSize bytes={build.size_total_bytes} time={build.created_at} />
    </label>
  )
}

type OptionProps = Choice & { build: ListedBuild; isMember?: boolean }

const BuildSize = ({ bytes, time }: { bytes: number; time: string }) => (
  <span className={`${classes.end} tabular`}>
    {formatBytes(bytes)} · <RelativeTime time={time} short />
  </span>
)
