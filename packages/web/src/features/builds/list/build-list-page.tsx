import type { View } from '@quayside/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useCallback, useRef, useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { storageText } from '../../../text/builds/build.ts'
import { viewText } from '../../../text/builds/views.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { Hint } from '../../../ui/hint.tsx'
import { IconTrash, IconUpload } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { lazyDialog } from '../../../ui/loading/lazy.tsx'
import { BackLink } from '../../../ui/navigation/back-link.tsx'
import { ButtonLink } from '../../../ui/navigation/button-link.tsx'
import { IconLink } from '../../../ui/navigation/icon-link.tsx'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import { applicationQuery } from '../../applications/application.queries.ts'
import { SavedViewsMenu } from '../views/saved-views-menu.tsx'
import { useListState } from '../views/use-list-state.ts'
import { ViewActions } from '../views/view-actions.tsx'
import { ViewChanges } from '../views/view-changes.tsx'
import { viewQueryOf } from '../views/view-search.ts'
import { ActiveFilters, noFilters } from './active-filters.tsx'
import { useColumns } from './build-columns.tsx'
import { BuildFilters } from './build-filters.tsx'
import classes from './build-list-page.module.css'
import { buildListSearch, groupingOf, isFiltered, type BuildListSearch } from './build-list.search.ts'
import { BuildTable, type BuildTableHandle } from './build-table.tsx'
import { NewBuildsPill } from './new-builds-pill.tsx'
import { NoBuilds } from './no-builds.tsx'
import { OpenUploads } from './open-uploads.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useBuildLines } from './use-build-lines.ts'
import { useBuildPages, usePageRange } from './use-build-pages.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useSelection } from './use-selection.ts'
import { ViewMenu } from './view-menu.tsx'

const ViewDialog = lazyDialog(async () => (await import('../views/view-dialog.tsx')).ViewDialog)

/** The builds of an application. Its filters and order are in the URL, or in a saved view. */
export function BuildListPage({ view }: { view?: View }) {
  const list = useBuildList(view)
  const { applicationId, search, pages, selected, clear, onChange, isTrash } = list
  const [dialog, setDialog] = useState<'new' | 'edit'>()
  const save = () => setDialog('new')
  const query = viewQueryOf(search, list.hidden)
  const { can } = useSession()
  return (
    <>
      <BuildListHeader list={list} onDialog={setDialog} />
      <div className={classes.toolbar}>
        <BuildFilters
          applicationId={applicationId}
          search={search}
          onChange={onChange}
          loaded={pages.loaded}
        />
        <div className={classes.state}>
          <ActiveFilters search={search} onChange={onChange} {...(view || isTrash ? {} : { onSave: save })} />
          {view !== undefined && list.isChanged && (
            <ViewChanges view={view} query={query} onSaveNew={save} onDiscard={list.discard} />
          )}
        </div>
      </div>
      {dialog !== undefined && (
        <Suspense>
          <ViewDialog
            applicationId={applicationId}
            target={dialog === 'edit' && view ? { view } : { query }}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
      {pages.error !== null && <FailureBanner error={pages.error} onRetry={pages.retry} />}
      <NewBuildsPill applicationId={applicationId} />
      {!isTrash && !isFiltered(search) && can('builds:create', applicationId) && (
        <OpenUploads key={applicationId} applicationId={applicationId} onResize={list.measureMargin} />
      )}
      {list.isEmpty && pages.error === null ? (
        <NoBuilds
          application={list.application}
          isFiltered={isFiltered(search)}
          isTrash={isTrash}
          onClear={() => onChange(noFilters)}
        />
      ) : (
        <ListedBuilds list={list} />
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

type BuildList = ReturnType<typeof useBuildList>

/** Returns what is listed and selected, and the functions that change it. */
function useBuildList(view: View | undefined) {
  const { applicationId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { search, isChanged, changed } = useListState(view, application)
  const table = useRef<BuildTableHandle>(null)
  const { pageRange, onRange } = usePageRange()
  const pages = useBuildPages(applicationId, search, pageRange)
  const measureMargin = useCallback(() => table.current?.measureMargin(), [])

  const lines = useBuildLines(pages)
  const { closeAll } = lines
  const { selected, select, selectAll, clear } = useSelection(lines.buildsAt)
  const onChange = useCallback(
    (change: Partial<BuildListSearch>) => {
      clear()
      closeAll()
      void navigate({
        to: '.',
        search: (previous) => changed(buildListSearch(previous), change),
        replace: 'search' in change,
      })
    },
    [clear, closeAll, navigate, changed],
  )
  const { columns, hidden, toggle } = useColumns(pages, search.hidden_columns, onChange)
  const activeRow = useRowKeys({ lines, select, clear, table, applicationId })
  const isTrash = search.trashed === true
  const isEmpty = !pages.isPending && pages.total === 0
  // The empty list offers the first upload.
  const isFirst = isEmpty && pages.error === null && !isFiltered(search)
  return {
    applicationId,
    application,
    view,
    search,
    isChanged,
    discard: () => void navigate({ to: '.', search: {} }),
    onChange,
    pages,
    lines,
    onRange,
    table,
    measureMargin,
    columns,
    hidden,
    toggle,
    selected,
    select,
    selectAll,
    clear,
    activeRow,
    isTrash,
    isEmpty,
    isFirst,
  }
}

type HeaderProps = { list: BuildList; onDialog: (dialog: 'new' | 'edit') => void }

function BuildListHeader({ list, onDialog }: HeaderProps) {
  const { applicationId, view, isTrash } = list
  return (
    <>
      {(isTrash || view !== undefined) && (
        <BackLink to="/applications/$applicationId" params={{ applicationId }}>
          Builds
        </BackLink>
      )}
      <PageHeader
        title={isTrash ? 'Trash' : (view?.name ?? 'Builds')}
        facts={<BuildCount list={list} />}
        actions={<BuildListActions list={list} onDialog={onDialog} />}
      />
    </>
  )
}

function BuildCount({ list: { application, view, search, pages, isTrash } }: { list: BuildList }) {
  if (pages.isPending) return '\u00A0'
  if (view !== undefined)
    return `${viewText.kind[view.visibility]} · ${plural(pages.total, groupingOf(search) === undefined ? 'build' : 'result')}`
  if (isFiltered(search) || isTrash)
    return plural(pages.total, groupingOf(search) === undefined ? 'build' : 'result')
  return (
    <>
      {plural(application.build_count, 'build')} ·{' '}
      <Hint label={storageText.help(application)} multiline w={260}>
        <span>{storageText.stored(application)}</span>
      </Hint>
    </>
  )
}

function BuildListActions({ list, onDialog }: HeaderProps) {
  const { applicationId, view, search, onChange, hidden, toggle, isTrash, isFirst } = list
  const { can } = useSession()
  return (
    <>
      {!isTrash && view === undefined && (
        <IconLink
          to="/applications/$applicationId"
          params={{ applicationId }}
          search={{ trashed: true }}
          label="Trash"
        >
          <IconTrash size={18} />
        </IconLink>
      )}
      {!isTrash && (
        <SavedViewsMenu applicationId={applicationId} view={view} onSave={() => onDialog('new')} />
      )}
      <ViewMenu hidden={hidden} onToggle={toggle} search={search} onChange={onChange} />
      {!isTrash && !isFirst && can('builds:create', applicationId) && (
        <ButtonLink
          to="/upload"
          search={{ application: applicationId }}
          leftSection={<IconUpload size={16} />}
        >
          Upload
        </ButtonLink>
      )}
      {view !== undefined && <ViewActions view={view} onEdit={() => onDialog('edit')} />}
    </>
  )
}

function ListedBuilds({ list }: { list: BuildList }) {
  const { applicationId, search, pages, lines, selected, clear, selectAll } = list
  return (
    <BuildTable
      ref={list.table}
      applicationId={applicationId}
      search={search}
      total={lines.total}
      isPending={pages.isPending}
      isStale={pages.isStale}
      columns={list.columns}
      onRange={list.onRange}
      rowOf={lines.rowOf}
      lineAt={lines.lineAt}
      isOpen={lines.isOpen}
      onToggle={lines.toggle}
      selected={selected}
      activeRow={list.activeRow}
      areAllSelected={pages.loaded.length > 0 && pages.loaded.every(({ id }) => selected.has(id))}
      onSelectAll={() => (selected.size > 0 ? clear() : selectAll(pages.loaded))}
      onSelect={list.select}
      onChange={list.onChange}
    />
  )
}
