import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { channelNames, groupingNames } from '../../text/distribution/downloads.ts'
import { DateFilters, FilterBar } from '../../ui/forms/filter-bar.tsx'
import { IconX } from '../../ui/icons/icons.ts'
import { applicationQuery } from '../applications/application.queries.ts'
import { groupings, isFiltered, linkedFilters, type DownloadsSearch } from './downloads.search.ts'

type Props = {
  applicationId: string
  search: DownloadsSearch
  onChange: (change: DownloadsSearch) => void
  onClear: () => void
}

const typingMs = 300

/** The filters of downloads: how, what, who and when. */
export function DownloadFilters({ applicationId, search, onChange, onClear }: Props) {
  const { can } = useSession()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const seesPeople = can('members:read', applicationId)
  const linked = Object.entries(linkedFilters).filter(
    ([name]) => search[name as keyof typeof linkedFilters] !== undefined,
  )
  // Six fields are always shown.
  const isOdd = [seesPeople, isFiltered(search), ...linked].filter(Boolean).length % 2 === 1
  return (
    <FilterBar isOdd={isOdd}>
      <Select
        size="xs"
        aria-label="Group by"
        placeholder="All downloads"
        clearable
        data={groupings
          .filter((value) => value !== 'person' || seesPeople)
          .map((value) => ({ value, label: `By ${groupingNames[value].toLowerCase()}` }))}
        value={search.by ?? null}
        onChange={(by) => onChange({ by: groupings.find((each) => each === by) })}
      />
      <Select
        size="xs"
        aria-label="Channel"
        placeholder="Any channel"
        clearable
        data={Object.entries(channelNames).map(([value, label]) => ({ value, label }))}
        value={search.channel ?? null}
        onChange={(channel) => onChange({ channel: channel ?? undefined })}
      />
      <Select
        size="xs"
        aria-label="Platform"
        placeholder="Any platform"
        clearable
        data={application.platforms.map(({ identifier, name }) => ({ value: identifier, label: name }))}
        value={search.platform ?? null}
        onChange={(platform) => onChange({ platform: platform ?? undefined })}
      />
      <TypedFilter name="version" label="Version" search={search} onChange={onChange} />
      {seesPeople && <TypedFilter name="email" label="Email address" search={search} onChange={onChange} />}
      <DateFilters
        from={search.from}
        to={search.to}
        onFrom={(from) => onChange({ from })}
        onTo={(to) => onChange({ to })}
      />
      {linked.map(([name, noun]) => (
        <Button
          key={name}
          size="xs"
          variant="light"
          rightSection={<IconX size={14} />}
          aria-label={`Show every ${noun}`}
          onClick={() => onChange({ [name]: undefined })}
        >
          One {noun}
        </Button>
      ))}
      {isFiltered(search) && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
    </FilterBar>
  )
}

type TypedProps = Pick<Props, 'search' | 'onChange'> & { name: 'version' | 'email'; label: string }

/** A filter that applies once the person stops typing, so that incomplete values are not sent. */
function TypedFilter({ name, label, search, onChange }: TypedProps) {
  const value = search[name] ?? ''
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  const change = useDebouncedCallback((typed: string) => onChange({ [name]: typed || undefined }), typingMs)
  // The filter may also be cleared or set by a link. The field is not replaced, which would end typing.
  if (value !== applied) {
    setApplied(value)
    if (value !== text.trim()) setText(value)
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed)
        change(typed.trim())
      }}
    />
  )
}
