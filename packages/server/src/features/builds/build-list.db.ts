import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { selectApplication } from '../../access/application.db.ts'
import { customPlanMarker } from '../../database/statement-names.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { resolveNames, type NameList } from '../../http/endpoint/fields.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'
import { selectCustomTargetsNamed } from '../custom-targets/custom-target.db.ts'
import { selectLabelsNamed } from '../labels/label.db.ts'
import { selectStreamsWithMoving } from '../streams/stream.db.ts'
import { activeRules, conditionsOf, selectTotal, type BuildFilter } from './build-filter.db.ts'
import {
  columnsOfGrouping,
  selectGroups,
  selectNewestByLookup,
  selectNewestBySorting,
  selectOlderOfGroups,
  type Group,
  type Grouping,
} from './build-groups.db.ts'
import { listBuildsIncludingTrashed } from './build.db.ts'

export type BuildSort = 'version' | 'version_short' | 'size_total_bytes' | 'built_at' | 'created_at'

// Each column list matches the column order of an index.
const sortColumns: Record<BuildSort, readonly string[]> = {
  version: ['version_sort'],
  version_short: ['version_major', 'version_minor', 'version_patch'],
  size_total_bytes: ['size_total_bytes'],
  built_at: ['built_at'],
  created_at: ['created_at'],
}

type Listing = {
  filter: BuildFilter
  order: { sortBy: BuildSort; direction: 'asc' | 'desc' }
  page: Page
  /** If set, a group of builds is one row of the list, and its place is that of its newest build. */
  grouping: Grouping | undefined
}

export type ListedRow = {
  row: ListedBuildRow
  /** Undefined unless the list is grouped. `others` are the newest of the other builds. */
  group: { size: number; others: ListedBuildRow[] } | undefined
}

type ListedBuildRow = Awaited<ReturnType<typeof listBuildsIncludingTrashed>>[number]

/**
 * Returns a page of builds and the total. One statement reads the IDs and the total, so that they are consistent. A
 * second statement with a cached plan reads the builds, because planning it takes longer than executing it. A build that
 * enters or leaves the trash between the two statements is omitted.
 */
export async function listBuildsPage(
  db: Executor,
  applicationId: string,
  listing: Listing,
): Promise<{ rows: ListedRow[]; total: number }> {
  const { filter, grouping } = listing
  const { ids, total, groups } = await listIds(db, applicationId, listing)
  const otherIds = Object.values(groups ?? {}).flatMap((group) => group.otherIds)
  const isTrashed = filter.trashed === true
  const found = new Map(
    (await listBuildsIncludingTrashed(db, [...ids, ...otherIds]))
      .filter((row) => (row.deleted_at !== null) === isTrashed)
      .map((row) => [row.id, row]),
  )
  const rowsOf = (each: readonly string[]) => each.flatMap((id) => found.get(id) ?? [])
  const rows = rowsOf(ids).map((row) => {
    const { size = 1, otherIds: others = [] } = groups?.[row.id] ?? {}
    return { row, group: grouping && { size, others: rowsOf(others) } }
  })
  return { rows, total }
}

/** The offset of a page from which sorting all builds is faster than looking up those before the page. */
const maxLookedUp = 1000

type Ids = { ids: string[]; total: number; groups?: Record<string, Group> | null }

/** Returns the IDs of the rows of a page with their groups, and the number of rows. */
async function listIds(
  db: Executor,
  applicationId: string,
  { filter, order, page, grouping }: Listing,
): Promise<Ids> {
  const columns = [...sortColumns[order.sortBy], 'id']
  // Builds without a build time come last in both directions. PostgreSQL does this by default only in ascending order.
  const direction = (column: string) =>
    column === 'built_at' && order.direction === 'desc' ? 'desc nulls last' : order.direction
  const inOrder = columns.map((column) => sql`${sql.ref(`builds.${column}`)} ${sql.raw(direction(column))}`)
  const rules = activeRules(filter)
  const read = new Set([...columns, ...(grouping === undefined ? [] : columnsOfGrouping(grouping))])
  const matching = sql`select ${sql.join([...read].map((column) => sql.ref(`builds.${column}`)))}
    from builds where ${conditionsOf('builds', applicationId, filter)}`
  const isSlow = rules.some((rule) => rule.isSlow)
  const [before, found, counted] = isSlow
    ? [sql`with found as materialized (${matching})`, sql`found`, sql`(select count(*) from found)`]
    : [sql``, sql`(${matching})`, selectTotal(applicationId, filter)]
  const sorts = isSlow || grouping === 'branch' || page.offset > maxLookedUp
  const selectNewest = sorts ? selectNewestBySorting : selectNewestByLookup
  const [listed, total] =
    grouping === undefined
      ? [found, counted]
      : [selectNewest(grouping, found), sql`${counted} - ${selectOlderOfGroups(grouping, found)}`]
  const needsOwnPlan = grouping !== undefined || rules.some((rule) => rule.needsOwnPlan)
  const rowsOfPage = sql`select ${sql.raw(needsOwnPlan ? customPlanMarker : '')} ${total} as total, array(
    select builds.id from ${listed} as builds
    order by ${sql.join(inOrder)} limit ${page.limit} offset ${page.offset}) as ids`
  const statement =
    grouping === undefined
      ? rowsOfPage
      : sql`select page.*, ${selectGroups(grouping, found, sql`page.ids`)} as groups from (${rowsOfPage}) as page`
  const { rows } = await sql<Ids>`${before} ${statement}`.execute(db)
  return rows[0] ?? { ids: [], total: 0 }
}

type NameLists = Record<'streams' | 'labels' | 'customTargets', NameList | undefined>

/**
 * Returns the application, the IDs of the streams, labels and custom targets in the filters, and the IDs and names that
 * do not exist. Uses a single statement. Throws the same 404 as `requireApplication`.
 */
export async function requireApplicationWithReferences(
  db: Executor,
  actor: Actor,
  applicationId: string,
  { streams, labels, customTargets }: NameLists,
) {
  const ref = { applicationId, workspaceId: actor.workspaceId }
  // Subqueries are added only for the filters in the request, because even an empty subquery takes time.
  const row = await selectApplication(db, actor, applicationId)
    .$if(streams !== undefined, (query) =>
      query.select(
        jsonArrayFrom(
          selectStreamsWithMoving(db, applicationId, streams?.candidates ?? []).select('input.requested'),
        ).as('streams'),
      ),
    )
    .$if(labels !== undefined, (query) =>
      query.select(jsonArrayFrom(selectLabelsNamed(db, ref, labels?.candidates ?? [])).as('labels')),
    )
    .$if(customTargets !== undefined, (query) =>
      query.select((eb) => [
        jsonArrayFrom(selectCustomTargetsNamed(db, ref, customTargets?.candidates ?? [])).as('targets'),
        eb
          .selectFrom('workspaces')
          .whereRef('workspaces.id', '=', 'applications.workspace_id')
          .select('custom_targets_enabled')
          .as('targets_enabled'),
      ]),
    )
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  const {
    streams: foundStreams = [],
    labels: foundLabels = [],
    targets = [],
    targets_enabled,
    ...application
  } = row
  const movingTo = foundStreams.flatMap(({ moving_ids, requested }) =>
    moving_ids.map((id) => ({ id, requested })),
  )
  return {
    application,
    references: {
      streams: streams && resolveNames(streams, [...foundStreams, ...movingTo]),
      labels: labels && resolveNames(labels, foundLabels),
      customTargets: customTargets && {
        ...resolveNames(customTargets, targets),
        areEnabled: targets_enabled === true,
      },
    },
  }
}
