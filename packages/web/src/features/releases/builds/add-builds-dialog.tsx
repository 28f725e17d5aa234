import { Group } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { plural } from '../../../ui/format/bytes.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { FilterMenu } from '../../../ui/menu/filter-menu.tsx'
import { applicationQuery } from '../../applications/application.queries.ts'
import { platformsQuery } from '../../applications/platform.queries.ts'
import { buildPageQuery } from '../../builds/build.queries.ts'
import { joinValues, withGrouping } from '../../builds/list/build-list.search.ts'
import { streamsQuery } from '../../streams/stream.queries.ts'
import classes from './add-builds-dialog.module.css'
import { BuildOptions } from './build-options.tsx'

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
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const filters = {
    search: text === '' ? undefined : text,
    platforms: joinValues(platforms),
    streams: joinValues(streams),
  }
  const { group_by } = withGrouping(filters, application.build_count)
  const search = { ...filters, group_by: group_by === 'none' ? undefined : group_by }
  const { data, error, isPlaceholderData } = useQuery({
    ...buildPageQuery(applicationId, search, 1),
    placeholderData: keepPreviousData,
  })

  function choose(builds: readonly ListedBuild[], isChosen: boolean): void {
    const next = new Map(chosen)
    for (const build of builds) {
      if (isChosen) next.set(build.id, build)
      else next.delete(build.id)
    }
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
        <BuildOptions rows={data?.data} existing={existing} chosen={chosen} onChoose={choose} />
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
