import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { reachShape, selectNamedApplication } from '../../access/application.db.ts'
import { compileByShape, compiler } from '../../database/compiled.ts'
import { customPlanMarker } from '../../database/statement-names.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { resolveNames, type NameList } from '../../http/endpoint/fields.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'
import { selectCustomTargetsNamed } from '../custom-targets/custom-target.db.ts'
import { selectLabelsNamed } from '../labels/label.db.ts'
import { selectStreamsWithMoving } from '../streams/stream.db.ts'
import {
  conditionsOf,
  filterConditions,
  filterShape,
  matchingOf,
  noFilter,
  rulesOf,
  type BuildFilter,
  type Matching,
  withFilter,
} from './build-filter.db.ts'
import {
  columnsOfGrouping,
  selectGroupedJson,
  selectGroups,
  selectNewestByLookup,
  selectNewestBySorting,
  selectOlderOfGroups,
  type Group,
  type Grouping,
} from './build-groups.db.ts'
import { buildJson, joinStreams } from './build.db.ts'
import { orderOf, selectPage, sortColumns, type BuildOrder } from './pages/build-page.db.ts'
import { selectSearchPage } from './pages/build-search.db.ts'
import { hasStoredTotal, selectMostBuilds, selectTotal } from './totals/build-totals.db.ts'

type Listing = {
  applicationId: string
  filter: BuildFilter
  order: BuildOrder
  page: Page
  /** If set, a group of builds is one row of the list, and its place is that of its newest build. */
  grouping: Grouping | undefined
}

type ListedPage = { json: string; count: number; total: number }

/**
 * Returns the JSON of the builds of a page, their number and the total. Reads the first page of a list that matches many builds with
 * one prepared statement. Otherwise, one statement that is planned for its values reads the IDs and the total, so that they are
 * consistent, and a second one with a cached plan the builds, because planning it takes longer than executing it. A build that
 * enters or leaves the trash between the two statements is omitted.
 */
export async function listBuildsPage(db: Executor, listing: Listing): Promise<ListedPage> {
  const { filter, grouping } = listing
  const first = await findFirstPage(db, listing)
  if (first !== undefined) return first
  const [{ ids, total, groups } = { ids: [], total: 0, groups: null }] = await listIds(db, listing)
  const isTrashed = filter.trashed === true
  const [rows = { json: '', count: 0 }] = await listRows(db, {
    ids,
    groups,
    isGrouped: grouping !== undefined,
    isTrashed,
  })
  return { ...rows, total }
}

/** Selects builds with their JSON by their IDs, with their positions. */
const selectListed = (ids: RawBuilder<string[]>) => sql`
  select builds.id, builds.deleted_at, listed.position, ${buildJson} as json
  from unnest(${ids}) with ordinality as listed (id, position) join builds on builds.id = listed.id ${joinStreams}`

/** Lists whose first page needs a plan for its values, with the time until which the shared statement is not tried again. */
const lateLists = new Map<string, number>()
const lateMs = 60_000
const maxLateLists = 10_000

/** Returns the first page of a list, or undefined if the list must be planned for its values. */
async function findFirstPage(db: Executor, listing: Listing): Promise<ListedPage | undefined> {
  const { applicationId, filter, order, page, grouping } = listing
  if (page.offset > 0 || grouping !== undefined || !hasStoredTotal(filter)) return undefined
  const key = JSON.stringify([applicationId, filter, order, page.limit])
  if ((lateLists.get(key) ?? 0) > performance.now()) return undefined
  const [first] = await listFirstPage(db, listing)
  if (first !== undefined && first.count >= Math.min(page.limit, first.total)) return first
  if (lateLists.size >= maxLateLists) lateLists.clear()
  lateLists.set(key, performance.now() + lateMs)
  return undefined
}

/** The columns that every index of a sort order contains. */
const indexed = [
  'id',
  'stream_id',
  'platform',
  'custom_target_id',
  'build_source',
  'scm_branch',
  'created_at',
]
/** How many builds are read in the order of the list to find its first page. Each is looked up if the list has a label. */
const maxWalked = { withLabels: 1000, withoutLabels: 5000 }

/**
 * Lists the first page and the total if the first builds in the order of the list contain the page. The same plan suits all values,
 * because it always reads these builds from the index of the order.
 */
const listFirstPage = compileByShape<Listing, ListedPage>(
  ({ filter, order, page }) => [filterShape(filter), order.sortBy, order.direction, page.limit].join(' '),
  ({ filter, order, page }, parameter) => {
    // Subqueries hide the values from the planner, which would otherwise plan the statement for them again and again.
    const hidden = <T>(read: (listing: Listing) => T, type: string) =>
      sql`(select ${parameter(read)}::${sql.raw(type)})` as T
    const applicationId = hidden((listing) => listing.applicationId, 'text')
    const matching = matchingOf(applicationId, filter, (value) =>
      hidden((listing) => value(listing.filter), Array.isArray(value(filter)) ? 'text[]' : 'text'),
    )
    const inOrder = orderOf(order)
    const columns = [...new Set([...indexed, ...sortColumns[order.sortBy]])]
    const walked = sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from builds
      where application_id = ${applicationId} and deleted_at is null
      order by ${inOrder} limit ${sql.lit(filter.labelIds ? maxWalked.withLabels : maxWalked.withoutLabels)}`
    const conditions = [sql`true`, ...filterConditions('builds', matching)]
    return sql`with page as materialized (
        select ${selectTotal(matching)} as total, array(select builds.id from (${walked}) as builds
          where ${sql.join(conditions, sql` and `)} order by ${inOrder} limit ${sql.lit(page.limit)}) as ids)
      select page.total, listed.* from page cross join lateral (
        select coalesce(string_agg(json, ',' order by position), '') as json, count(*) as count
        from (${selectListed(sql`page.ids`)}) as found) as listed`
  },
)

type Groups = Record<string, Group> | null
type Rows = { ids: string[]; groups: Groups; isGrouped: boolean; isTrashed: boolean }

/** Lists the builds with these IDs in this order and, if they are grouped, with the other builds of their groups. */
const listRows = compileByShape<Rows, { json: string; count: number }>(
  ({ isGrouped }) => String(isGrouped),
  ({ isGrouped }, parameter) => {
    const ids = parameter(({ ids, groups }) => [
      ...ids,
      ...Object.values(groups ?? {}).flatMap(({ otherIds }) => otherIds),
    ])
    const groups = sql<
      Record<string, Group>
    >`${parameter((rows) => JSON.stringify(rows.groups ?? {}))}::jsonb`
    const json = isGrouped ? selectGroupedJson(groups) : sql`found.json`
    // The subquery hides the number of IDs from the planner. Otherwise, plans for short pages would seem cheaper than the generic
    // plan, and PostgreSQL would plan the statement for each of them, which takes longer.
    return sql`with found as (${selectListed(sql`(select ${ids}::text[])`)}
        where (builds.deleted_at is not null) = ${parameter((rows) => rows.isTrashed)})
      select coalesce(string_agg(${json}, ',' order by found.position), '') as json, count(*) as count
      from found where found.position <= ${parameter((rows) => rows.ids.length)}`
  },
)

/** The offset of a page from which sorting all builds is faster than looking up those before the page. */
const maxLookedUp = 1000

/** Lists the IDs of the rows of a page with their groups, and the number of rows. */
const listIds = compileByShape<Listing, { ids: string[]; total: number; groups: Groups }>(
  ({ filter, order, page, grouping = '' }) =>
    [filterShape(filter), order.sortBy, order.direction, grouping, page.offset > maxLookedUp].join(' '),
  ({ filter, order, page, grouping }, parameter) => {
    const columns = [...sortColumns[order.sortBy], 'id']
    const rules = Object.values(rulesOf(filter))
    const read = new Set([...columns, ...(grouping === undefined ? [] : columnsOfGrouping(grouping))])
    const applicationId = parameter((listing) => listing.applicationId)
    const matching = matchingOf(applicationId, filter, (value) =>
      parameter((listing) => value(listing.filter)),
    )
    const selectIn = (listed: Matching) =>
      sql`select ${sql.join([...read].map((column) => sql.ref(`builds.${column}`)))}
        from builds where ${conditionsOf('builds', listed)}`
    const selected = selectIn(matching)
    const isSlow = rules.some((rule) => rule.isSlow)
    const [before, found, counted] = isSlow
      ? [sql`with found as materialized (${selected})`, sql`found`, sql`(select count(*) from found)`]
      : [sql``, sql`(${selected})`, selectTotal(matching)]
    const isLate = page.offset > maxLookedUp
    const sorts = isSlow || grouping === 'branch' || isLate
    const selectNewest = sorts ? selectNewestBySorting : selectNewestByLookup
    const [listed, total] =
      grouping === undefined
        ? [found, counted]
        : [selectNewest(grouping, found), sql`${counted} - ${selectOlderOfGroups(grouping, found)}`]
    const needsOwnPlan = grouping !== undefined || rules.some((rule) => rule.needsOwnPlan)
    const limit = sql`${parameter((listing) => listing.page.limit)}::bigint`
    const offset = sql`${parameter((listing) => listing.page.offset)}::bigint`
    const ownPlan = sql.raw(needsOwnPlan ? customPlanMarker : '')
    if (filter.search !== undefined && filter.trashed === undefined && grouping === undefined) {
      const others = withFilter(matching, { search: undefined })
      const total = selectTotal(others)
      const search = {
        applicationId,
        pattern: matching.given.search ?? '',
        indexed: selected,
        unsearched: selectIn(others),
        others: conditionsOf('builds', others),
        total,
        mostBuilds: selectMostBuilds(others, total),
        place: { order, limit, offset, isLate },
      }
      return sql`${selectSearchPage(search)} ${ownPlan}`
    }
    if (!isSlow && grouping === undefined) {
      const mostBuilds = selectMostBuilds(matching, counted)
      const allBuilds = selectTotal(matchingOf(applicationId, noFilter))
      const whole = { listed, total: counted, mostBuilds, allBuilds, order, limit, offset, isLate }
      return sql`${selectPage(whole)} ${ownPlan}`
    }
    const rowsOfPage = sql`select ${ownPlan} ${total} as total, array(
      select builds.id from ${listed} as builds order by ${orderOf(order)} limit ${limit} offset ${offset}) as ids`
    return grouping === undefined
      ? sql`${before} ${rowsOfPage}`
      : sql`${before} select page.*, ${selectGroups(grouping, found, sql`page.ids`)} as groups
          from (${rowsOfPage}) as page`
  },
)

type NameLists = Record<'streams' | 'labels' | 'customTargets', NameList | undefined>

type Named = { actor: Actor; applicationId: string; names: NameLists }

/** Finds the application with the rows that the names match. */
const findNamed = compileByShape(
  // Subqueries are added only for the filters in the request, because even an empty subquery takes time.
  ({ actor, names }: Named) => [reachShape({ actor }), ...Object.values(names).map(Boolean)].join(),
  (named, parameter) => {
    const { names } = named
    const applicationId = parameter((named) => named.applicationId)
    const ref = { applicationId, workspaceId: parameter((named) => named.actor.workspaceId) }
    const candidates = (list: keyof NameLists) => parameter((named) => named.names[list]?.candidates ?? [])
    return selectNamedApplication(named, parameter)
      .$if(names.streams !== undefined, (query) =>
        query.select(
          jsonArrayFrom(
            selectStreamsWithMoving(compiler, applicationId, candidates('streams')).select('input.requested'),
          ).as('streams'),
        ),
      )
      .$if(names.labels !== undefined, (query) =>
        query.select(jsonArrayFrom(selectLabelsNamed(compiler, ref, candidates('labels'))).as('labels')),
      )
      .$if(names.customTargets !== undefined, (query) =>
        query.select((eb) => [
          jsonArrayFrom(selectCustomTargetsNamed(compiler, ref, candidates('customTargets'))).as('targets'),
          eb
            .selectFrom('workspaces')
            .whereRef('workspaces.id', '=', 'applications.workspace_id')
            .select('custom_targets_enabled')
            .as('targets_enabled'),
        ]),
      )
  },
)

/**
 * Returns the application, the IDs of the streams, labels and custom targets in the filters, and the IDs and names that
 * do not exist. Uses a single statement. Throws the same 404 as `requireApplication`.
 */
export async function requireApplicationWithReferences(
  db: Executor,
  actor: Actor,
  applicationId: string,
  names: NameLists,
) {
  const [row] = await findNamed(db, { actor, applicationId, names })
  if (row === undefined) throw notFound()
  const { streams, labels, customTargets } = names
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
