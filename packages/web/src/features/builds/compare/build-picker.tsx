import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { FullBuild, ListedBuild } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { buildText } from '../../../text/builds/build.ts'
import { versionText } from '../build.queries.ts'
import { buildSearchQuery } from '../details/build-details.queries.ts'

type Listed = Pick<ListedBuild, 'id' | 'version' | 'build_number' | 'platform' | 'stream'>

type Props = { build: FullBuild; other: Listed | undefined; onChange: (buildId: string) => void }

const debounceMs = 200

/** Chooses a build of the application to compare with. */
export function BuildPicker({ build, other, onChange }: Props) {
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, debounceMs)
  const shown = other === undefined ? '' : labelOf(other)
  const needle = debounced === shown ? '' : debounced
  const { data: found = [] } = useQuery({
    ...buildSearchQuery(build.application_id, needle),
    placeholderData: keepPreviousData,
  })
  const options = new Map<string, string>()
  if (other !== undefined) options.set(other.id, labelOf(other))
  for (const each of found) if (each.id !== build.id) options.set(each.id, labelOf(each))
  return (
    <Select
      label="Compare with"
      placeholder="Version, branch, commit, file…"
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={other?.id ?? null}
      onChange={(value) => value !== null && onChange(value)}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has already filtered the options.
      filter={({ options: all }) => all}
      allowDeselect={false}
      nothingFoundMessage={buildText.compare.noMatch}
      selectFirstOptionOnChange
    />
  )
}

const labelOf = (build: Listed): string =>
  `${versionText(build)} · ${build.platform.name} · ${build.stream.name}`
