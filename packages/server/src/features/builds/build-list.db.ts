import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { ApplicationRef } from '../../access/application.db.ts'
import { pageWithTotal } from '../../database/page-with-total.ts'
import type { Executor } from '../../database/transaction.ts'
import { selectDeletedBy } from '../../events/event.db.ts'
import { resolveNames, type NameList } from '../../http/fields.ts'
import type { Page } from '../../http/pagination.ts'
import { selectCustomTargetsNamed } from '../custom-targets/custom-target.db.ts'
import { selectLabelsNamed } from '../labels/label.db.ts'
import { selectStreamsWithMoving } from '../streams/stream.db.ts'
import { activeRules, conditionsOf, selectTotal, type BuildFilter } from './build-filter.db.ts'
import { selectBuildsIncludingTrashed } from './build.db.ts'

export type BuildSort = 'version' | 'version_short' | 'size_total_bytes' | 'built_at' | 'created_at'

// Each column list matches the column order of an index.
const sortColumns: Record<BuildSort, readonly string[]> = {
  version: ['version_sort'],
  version_short: ['version_major', 'version_minor', 'version_patch'],
  size_total_bytes: ['size_total_bytes'],
  built_at: ['built_at'],
  created_at: ['created_at'],
}

/** Returns a page of builds and the total, read in one statement so that they are consistent. */
export async function listBuildsPage(
  db: Executor,
  applicationId: string,
  filter: BuildFilter,
  order: { sortBy: BuildSort; direction: 'asc' | 'desc' },
  page: Page,
) {
  const matching = db.selectFrom('builds').where(conditionsOf('builds', applicationId, filter))
  const columns = [...sortColumns[order.sortBy], 'id']
  // Builds without a build time come last in both directions. PostgreSQL does this by default in ascending order.
  const direction = (column: string) =>
    column === 'built_at' && order.direction === 'desc' ? 'desc nulls last' : order.direction
  const inOrder = (table: string) =>
    sql.join(columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(direction(column))}`))
  // Selects the page before joining, so that skipped rows are not joined.
  const picked = matching.select('builds.id').orderBy(inOrder('builds')).limit(page.limit).offset(page.offset)
  const rows = selectBuildsIncludingTrashed(db)
    .select(selectDeletedBy('build').as('deleted_by'))
    .where(sql<boolean>`builds.id = any(array(${picked}))`)
  return pageWithTotal(db, {
    page: rows,
    total: selectTotal(applicationId, filter),
    inOrder: inOrder('page'),
    needsCustomPlan: activeRules(filter).some(({ needsOwnPlan }) => needsOwnPlan),
  })
}

/** Resolves IDs and names to IDs in one statement. Also returns those that do not exist in the application. */
export async function findFilterReferences(
  db: Executor,
  application: ApplicationRef,
  references: Record<'streams' | 'labels' | 'customTargets', NameList | undefined>,
) {
  const { streams = noNames, labels = noNames, customTargets = noNames } = references
  const { applicationId, workspaceId } = application
  if ([streams, labels, customTargets].every(({ candidates }) => candidates.length === 0)) return undefined
  const found = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select('custom_targets_enabled')
    .select([
      jsonArrayFrom(
        selectStreamsWithMoving(db, applicationId, streams.candidates).select('input.requested'),
      ).as('streams'),
      jsonArrayFrom(selectLabelsNamed(db, application, labels.candidates)).as('labels'),
      jsonArrayFrom(selectCustomTargetsNamed(db, application, customTargets.candidates)).as('targets'),
    ])
    .executeTakeFirstOrThrow()
  const movingTo = found.streams.flatMap(({ moving_ids, requested }) =>
    moving_ids.map((id) => ({ id, requested })),
  )
  return {
    streams: resolveNames(streams, [...found.streams, ...movingTo]),
    labels: resolveNames(labels, found.labels),
    customTargets: {
      ...resolveNames(customTargets, found.targets),
      enabled: found.custom_targets_enabled,
    },
  }
}

const noNames: NameList = { candidates: [], resolve: () => ({ known: [], unknown: [] }) }
