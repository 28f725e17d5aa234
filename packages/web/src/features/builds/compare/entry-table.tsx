import { Select } from '@mantine/core'
import type { EntryChange } from '@quayside/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { buildText } from '../../../text/builds/build.ts'
import { formatBytes, formatCount } from '../../../ui/format/bytes.ts'
import { FilterBar } from '../../../ui/forms/filter-bar.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { LoadMore } from '../../../ui/loading/load-more.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { CardLine } from '../../../ui/table/table-row.tsx'
import {
  changeKinds,
  entryChangesQuery,
  type ComparedBuilds,
  type EntrySelection,
} from './comparison.queries.ts'
import classes from './entry-changes.module.css'

type SortKey = EntrySelection['sort_by']
type Props = { builds: ComparedBuilds; fileId: string }

/** Lists the entries that changed, with filters. */
export function EntryTable({ builds, fileId }: Props) {
  const [selection, setSelection] = useState<EntrySelection>({
    kind: undefined,
    search: '',
    sort_by: 'size_change',
    sort: 'desc',
  })
  const { kind, search, sort_by, sort } = selection
  const query = useInfiniteQuery({
    ...entryChangesQuery(builds, fileId, selection),
    placeholderData: keepPreviousData,
  })
  const entries = query.data?.pages.flatMap(({ data }) => data)
  const change = (changed: Partial<EntrySelection>) => setSelection({ ...selection, ...changed })
  return (
    <>
      <div className={classes.filters}>
        <FilterBar isOdd={false}>
          <SearchField
            label="entries"
            placeholder="Path"
            value={search}
            isListSearch={false}
            maxLength={100}
            onChange={(text) => change({ search: text })}
          />
          <Select
            size="xs"
            aria-label="Kind of change"
            placeholder="All changes"
            data={kindOptions}
            value={kind ?? null}
            onChange={(value) => change({ kind: value ?? undefined })}
            clearable
          />
        </FilterBar>
      </div>
      {query.error !== null && query.data === undefined ? (
        <FailureBanner error={query.error} onRetry={() => void query.refetch()} />
      ) : entries?.length === 0 && !query.isPlaceholderData ? (
        <p className={classes.same}>{buildText.compare.noEntryMatches}</p>
      ) : (
        <DataTable
          label="Entries"
          columns={columns}
          rows={entries}
          keyOf={({ kind: each, path }) => `${each} ${path}`}
          order={{ sort_by, sort }}
          onSort={change}
          isStale={query.isPlaceholderData}
          card={(entry) => <EntryCard entry={entry} />}
        />
      )}
      <LoadMore query={query}>
        {buildText.compare.more(formatCount(query.data?.pages[0]?.pagination.total ?? 0))}
      </LoadMore>
    </>
  )
}

const kindOptions = changeKinds.map((value) => ({ value, label: buildText.compare.kinds[value] }))

const columns: readonly Column<EntryChange, SortKey>[] = [
  {
    id: 'kind',
    label: 'Change',
    width: '6rem',
    cell: ({ kind }) => <Kind kind={kind} />,
  },
  {
    id: 'path',
    label: 'Path',
    width: 'minmax(0, 1fr)',
    sortBy: 'path',
    hasLines: true,
    cell: (entry) => <Path entry={entry} />,
  },
  {
    id: 'sizes',
    label: 'Size',
    width: '10.5rem',
    sortBy: 'size',
    isAtEnd: true,
    cell: (entry) => <span className="soft tabular">{sizesOf(entry)}</span>,
  },
  {
    id: 'difference',
    label: 'Difference',
    width: '7rem',
    sortBy: 'size_change',
    isAtEnd: true,
    cell: ({ size_change_bytes: bytes }) => <span className="tabular">{differenceOf(bytes)}</span>,
  },
]

const EntryCard = ({ entry }: { entry: EntryChange }) => (
  <>
    <CardLine>
      <Path entry={entry} />
    </CardLine>
    <CardLine>
      <Kind kind={entry.kind} />
      <span className="soft tabular">
        {sizesOf(entry)}
        {entry.kind === 'changed' && ` (${differenceOf(entry.size_change_bytes)})`}
      </span>
    </CardLine>
  </>
)

const Kind = ({ kind }: { kind: EntryChange['kind'] }) => (
  <span className={classes.kind} data-change={kind}>
    {buildText.compare.kinds[kind]}
  </span>
)

const Path = ({ entry: { path, previous_path: previous } }: { entry: EntryChange }) => (
  <span className={classes.path}>
    {path}
    {previous !== null && <span className="soft"> {buildText.compare.was(previous)}</span>}
  </span>
)

function sizesOf({ size_before_bytes: old, size_after_bytes: current }: EntryChange): string {
  if (old !== null && current !== null && old !== current)
    return `${formatBytes(old)} → ${formatBytes(current)}`
  return formatBytes(current ?? old ?? 0)
}

function differenceOf(bytes: number): string {
  if (bytes === 0) return '0 B'
  return `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))}`
}
