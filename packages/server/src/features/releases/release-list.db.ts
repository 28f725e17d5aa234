import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../../database/contains-pattern.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { selectReleases } from './release.db.ts'

export type ReleaseFilter = {
  search: string | undefined
  labelIds: string[] | undefined
  platforms: string[] | undefined
}

export type ReleaseSort = 'version' | 'version_short' | 'title' | 'created_at'

// each is the column order of one index
const sortColumns: Record<ReleaseSort, readonly RawBuilder<unknown>[]> = {
  version: [sql`releases.version_sort`],
  version_short: [sql`releases.version_major`, sql`releases.version_minor`, sql`releases.version_patch`],
  title: [sql`lower(releases.title)`],
  created_at: [sql`releases.created_at`],
}

function conditions(applicationId: string, filter: ReleaseFilter): RawBuilder<boolean> {
  const all = [sql`releases.application_id = ${applicationId}`]
  if (filter.labelIds !== undefined)
    all.push(sql`exists (select from release_labels where release_labels.release_id = releases.id
      and release_labels.label_id = any(${filter.labelIds}))`)
  if (filter.platforms !== undefined)
    all.push(sql`exists (select from release_builds join builds on builds.id = release_builds.build_id
      where release_builds.release_id = releases.id and builds.deleted_at is null
      and builds.platform = any(${filter.platforms}))`)
  if (filter.search !== undefined) {
    const pattern = containsPattern(filter.search)
    all.push(sql`(releases.title ilike ${pattern} or releases.id ilike ${pattern}
      or concat(releases.version_major, '.', releases.version_minor, '.', releases.version_patch,
        '-' || releases.version_extra, '+' || releases.version_meta) ilike ${pattern})`)
  }
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

/** One page and the total: two statements, whatever the size of the list. */
export async function listReleasesPage(
  db: Executor,
  applicationId: string,
  filter: ReleaseFilter,
  order: { sortBy: ReleaseSort; direction: 'asc' | 'desc' },
  page: Page,
) {
  const where = conditions(applicationId, filter)
  let rows = selectReleases(db).where(where)
  for (const column of [...sortColumns[order.sortBy], sql`releases.id`])
    rows = rows.orderBy(column, order.direction)
  const [found, counted] = await Promise.all([
    rows.limit(page.limit).offset(page.offset).execute(),
    db
      .selectFrom('releases')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where(where)
      .executeTakeFirstOrThrow(),
  ])
  return { rows: found, total: counted.total }
}
