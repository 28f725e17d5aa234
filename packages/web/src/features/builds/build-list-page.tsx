import { useHotkeys } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { formatBytes, plural } from '../../ui/bytes.ts'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { applicationQuery } from '../applications/application.queries.ts'
import { ActiveFilters, noFilters } from './active-filters.tsx'
import { cardHeight } from './build-card.tsx'
import { useColumns } from './build-columns.ts'
import { BuildFilters } from './build-filters.tsx'
import classes from './build-list-page.module.css'
import { isFiltered, type BuildListSearch } from './build-list.search.ts'
import { BuildTable } from './build-table.tsx'
import { NewBuildsPill } from './new-builds-pill.tsx'
import { NoBuilds } from './no-builds.tsx'
import { OpenUploads } from './open-uploads.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useBuildPages } from './use-build-pages.ts'
import { useSelection } from './use-selection.ts'
import { ViewMenu } from './view-menu.tsx'

const route = getRouteApi('/console/applications/$applicationId/')
const rowHeight = 44

/** The builds of an application. Its filters and order are in the URL. */
export function BuildListPage() {
  const { applicationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useSession()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const isPhone = useIsNarrow('48em')
  const { columns, template, toggle } = useColumns()
  const bodyRef = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const pages = useBuildPages(applicationId, search, ...range)
  const overscan = useOverscan(!pages.isPending)
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: pages.isPending ? 12 : pages.total,
    estimateSize: () => (isPhone ? cardHeight : rowHeight),
    overscan,
    scrollMargin,
    // The server, which draws the page first, does not know the size of the window.
    initialRect: { width: 1440, height: 700 },
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => setRange([first, last]), [first, last])
  const measureMargin = useCallback(() => setScrollMargin(bodyRef.current?.offsetTop ?? 0), [])
  useLayoutEffect(measureMargin, [measureMargin, pages.isPending, search])
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isPhone])

  const { selected, select, selectAll, clear } = useSelection(pages.buildAt)
  const onChange = useCallback(
    (change: Partial<BuildListSearch>) => {
      clear()
      void navigate({ search: (previous) => ({ ...previous, ...change }), replace: 'search' in change })
    },
    [clear, navigate],
  )
  const activeRow = useRowKeys({ total: pages.total, pages, select, clear, virtualizer, applicationId })
  const isTrash = search.trashed === true
  const isEmpty = !pages.isPending && pages.total === 0
  return (
    <>
      <PageHeader
        title={isTrash ? 'Trash' : 'Builds'}
        documentTitle={`${application.name} · ${isTrash ? 'Trash' : 'Builds'}`}
        facts={
          pages.isPending
            ? '\u00A0'
            : isFiltered(search) || isTrash
              ? plural(pages.total, 'build')
              : `${plural(pages.total, 'build')} · ${formatBytes(application.storage_usage.total_bytes)}`
        }
        actions={
          <>
            <ViewMenu columns={columns} onToggle={toggle} search={search} onChange={onChange} />
            {can('builds:create', applicationId) && (
              <ButtonLink
                to="/upload"
                search={{ application: applicationId }}
                leftSection={<IconUpload size={16} />}
              >
                Upload
              </ButtonLink>
            )}
          </>
        }
      />
      <div className={classes.toolbar}>
        <BuildFilters
          applicationId={applicationId}
          search={search}
          onChange={onChange}
          loaded={pages.loaded}
        />
        <ActiveFilters search={search} onChange={onChange} />
      </div>
      {pages.error !== null && <FailureBanner error={pages.error} onRetry={pages.retry} />}
      <NewBuildsPill applicationId={applicationId} />
      {!isTrash && !isFiltered(search) && can('builds:create', applicationId) && (
        <OpenUploads key={applicationId} applicationId={applicationId} onResize={measureMargin} />
      )}
      {isEmpty && pages.error === null ? (
        <NoBuilds
          application={application}
          isFiltered={isFiltered(search)}
          isTrash={isTrash}
          onClear={() => onChange(noFilters)}
        />
      ) : (
        <BuildTable
          applicationId={applicationId}
          search={search}
          total={pages.total}
          isStale={pages.isStale}
          columns={columns}
          template={template}
          virtualizer={virtualizer}
          bodyRef={bodyRef}
          buildAt={pages.buildAt}
          selected={selected}
          activeRow={activeRow}
          areAllSelected={pages.loaded.length > 0 && pages.loaded.every(({ id }) => selected.has(id))}
          onSelectAll={() => (selected.size > 0 ? clear() : selectAll(pages.loaded))}
          onSelect={select}
          onChange={onChange}
        />
      )}
      <SelectionBar
        applicationId={applicationId}
        builds={[...selected.values()]}
        isTrash={isTrash}
        onClear={clear}
      />
    </>
  )
}

const scrolledRows = 10

/** Returns how many rows to draw outside the window: none until the visible ones have been painted. */
function useOverscan(isLoaded: boolean): number {
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => {
    if (!isLoaded) return undefined
    const frame = requestAnimationFrame(() => setTimeout(() => setIsPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [isLoaded])
  return isPainted ? scrolledRows : 0
}

type RowKeys = {
  total: number
  pages: ReturnType<typeof useBuildPages>
  select: (position: number, withRange: boolean) => void
  clear: () => void
  virtualizer: ReturnType<typeof useWindowVirtualizer<HTMLDivElement>>
  applicationId: string
}

/** Moves through the rows with j and k, opens one with Enter, and selects it with x. Returns the active row. */
function useRowKeys({
  total,
  pages,
  select,
  clear,
  virtualizer,
  applicationId,
}: RowKeys): number | undefined {
  const navigate = route.useNavigate()
  const [active, setActive] = useState<number>()
  const move = (step: number) => {
    const next = Math.min(total - 1, Math.max(0, (active ?? -1) + step))
    setActive(next)
    virtualizer.scrollToIndex(next, { align: 'auto' })
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => active !== undefined && select(active, false)],
    ['shift+x', () => active !== undefined && select(active, true)],
    ['Escape', clear],
    [
      'Enter',
      () => {
        const build = active === undefined ? undefined : pages.buildAt(active)
        if (build === undefined || document.activeElement !== document.body) return
        void navigate({
          to: '/applications/$applicationId/builds/$buildId',
          params: { applicationId, buildId: build.id },
        })
      },
      { preventDefault: false },
    ],
  ])
  return active
}
