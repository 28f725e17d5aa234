import { Checkbox, Group, Skeleton, Text } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { releaseText } from '../../../text/release.ts'
import { formatBytes, plural } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { FilterMenu } from '../../../ui/menu/filter-menu.tsx'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { platformsQuery } from '../../applications/platform.queries.ts'
import { buildPageQuery, versionText } from '../../builds/build.queries.ts'
import { joinValues } from '../../builds/list/build-list.search.ts'
import { streamsQuery } from '../../streams/stream.queries.ts'
import classes from './add-builds-dialog.module.css'

type Props = {
  applicationId: string
  /** IDs of the builds that the release already has. */
  existing: readonly string[]
  /** The search at first, such as the version of the release. */
  initialSearch: string
  onAdd: (builds: ListedBuild[]) => Promise<void> | void
  onClose: () => void
}

/** Selects builds for a release. Stays open with the error if adding them fails. */
export function AddBuildsDialog({ applicationId, existing, initialSearch, onAdd, onClose }: Props) {
  const [text, setText] = useState(initialSearch)
  const [platforms, setPlatforms] = useState<string[]>([])
  const [streams, setStreams] = useState<string[]>([])
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedBuild>>(new Map())
  const search = {
    search: text === '' ? undefined : text,
    platforms: joinValues(platforms),
    streams: joinValues(streams),
  }
  const { data, error, isPlaceholderData } = useQuery({
    ...buildPageQuery(applicationId, search, 1),
    placeholderData: keepPreviousData,
  })
  const builds = data?.data.filter(({ id }) => !existing.includes(id))

  function toggle(build: ListedBuild): void {
    const next = new Map(chosen)
    if (!next.delete(build.id)) next.set(build.id, build)
    setChosen(next)
  }

  return (
    <ConfirmDialog
      title="Add builds"
      confirmLabel={chosen.size === 0 ? 'Add builds' : `Add ${plural(chosen.size, 'build')}`}
      onConfirm={async () => onAdd([...chosen.values()])}
      onClose={onClose}
      isDisabled={chosen.size === 0}
      size="lg"
    >
      {/* Enter in the search does not add the builds. */}
      <Group gap={8} mb="sm" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
        <SearchField
          label="builds"
          placeholder="Version, branch, commit, file…"
          className={classes.search}
          maxLength={100}
          isListSearch={false}
          value={text}
          onChange={setText}
        />
        <PlatformFilter applicationId={applicationId} values={platforms} onChange={setPlatforms} />
        <StreamFilter applicationId={applicationId} values={streams} onChange={setStreams} />
      </Group>
      {error !== null && <FailureBanner error={error} />}
      <div className={classes.list} data-stale={isPlaceholderData || undefined}>
        <BuildOptions builds={builds} chosen={chosen} onToggle={toggle} />
      </div>
    </ConfirmDialog>
  )
}

type FilterProps = { applicationId: string; values: readonly string[]; onChange: (values: string[]) => void }

function PlatformFilter({ applicationId, values, onChange }: FilterProps) {
  const { data: platforms = [] } = useQuery(platformsQuery(applicationId))
  return (
    <FilterMenu
      label="Platform"
      options={platforms.map(({ identifier, name }) => ({ value: identifier, label: name }))}
      values={values}
      onChange={onChange}
    />
  )
}

function StreamFilter({ applicationId, values, onChange }: FilterProps) {
  const { data: streams = [] } = useQuery(streamsQuery(applicationId))
  return (
    <FilterMenu
      label="Stream"
      options={streams.map(({ name }) => ({ value: name, label: name }))}
      values={values}
      onChange={onChange}
    />
  )
}

type OptionsProps = {
  /** Undefined while they are loading. */
  builds: readonly ListedBuild[] | undefined
  /** The selected builds by ID. */
  chosen: ReadonlyMap<string, ListedBuild>
  onToggle: (build: ListedBuild) => void
}

function BuildOptions({ builds, chosen, onToggle }: OptionsProps) {
  return (
    <>
      {builds === undefined
        ? Array.from({ length: 6 }, (_, index) => <Skeleton key={index} height={20} my={12} />)
        : builds.map((build) => (
            <BuildOption
              key={build.id}
              build={build}
              isChosen={chosen.has(build.id)}
              onToggle={() => onToggle(build)}
            />
          ))}
      {builds?.length === 0 && (
        <Text c="dimmed" p="md" ta="center">
          {releaseText.builds.noMatch}
        </Text>
      )}
    </>
  )
}

type OptionProps = { build: ListedBuild; isChosen: boolean; onToggle: () => void }

function BuildOption({ build, isChosen, onToggle }: OptionProps) {
  return (
    <label className={classes.option}>
      <Checkbox
        size="xs"
        checked={isChosen}
        onChange={onToggle}
        aria-label={`${build.platform.name} ${versionText(build)}`}
      />
      <PlatformIcon platform={build.platform} />
      <span className={classes.version}>{versionText(build)}</span>
      <span className={classes.soft}>{build.stream.name}</span>
      <span className={`${classes.end} tabular`}>
        {formatBytes(build.size_total_bytes)} · <RelativeTime time={build.created_at} short />
      </span>
    </label>
  )
}
