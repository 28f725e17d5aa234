import { sql, type RawBuilder } from 'kysely'
import { idsOfPage } from './build-page.db.ts'

export type SearchKind = 'short' | 'plain' | 'joined'

/** Returns how builds that contain the text are found. */
export function searchKind(text: string): SearchKind {
  // Trigrams do not find shorter texts.
  if (text.length < 3) return 'short'
  // Joined words also match text with one of these letters in place of a separator, so the text itself is compared too.
  return /[/\-._qxzj]/i.test(text) ? 'joined' : 'plain'
}

const searchedText = sql`build_search_text(found.id, found.version_major, found.version_minor, found.version_patch,
  found.version_extra, found.version_meta, found.build_number, found.notes, found.scm_branch, found.scm_commit_sha)`

/** Compares the same texts of a build one by one. Without an index, this takes half of the time. */
function matchesTexts(table: 'builds' | 'found', pattern: string): RawBuilder<boolean> {
  const ref = (column: string) => sql.ref(`${table}.${column}`)
  const parts = ['major', 'minor', 'patch'].map((part) => sql`${ref(`version_${part}`)}::text`)
  const version = sql`(${sql.join(parts, sql` || '.' || `)}
    || coalesce('-' || ${ref('version_extra')}, '') || coalesce('+' || ${ref('version_meta')}, ''))`
  const columns = ['scm_branch', 'notes', 'build_number', 'scm_commit_sha', 'id'].map(ref)
  const areLike = [...columns, version].map((text) => sql`${text} ilike ${pattern}`)
  return sql<boolean>`(${sql.join(areLike, sql` or `)})`
}

type Searched = { applicationId: string; trashed: true | undefined; search: SearchKind }

const matches = (text: RawBuilder<unknown>, pattern: string, search: SearchKind) => {
  const isLike = sql`${text} ilike ${pattern}`
  if (search === 'short') return isLike
  const isIndexed = sql`join_words(${text}) ilike join_words(${pattern})`
  return search === 'plain' ? isIndexed : sql`${isIndexed} and ${isLike}`
}

const selectLabeled = (pattern: string, applicationId: string) => sql`
  select build_labels.build_id from labels join build_labels on build_labels.label_id = labels.id
  where labels.name ilike ${pattern} and build_labels.application_id = ${applicationId}
    and labels.owner_id in (${applicationId}, (select workspace_id from applications where id = ${applicationId}))`

/** Combines indexed queries with a union, because PostgreSQL would read every build for an `or` condition. */
export function matchesSearch(
  pattern: string,
  { applicationId, trashed, search }: Searched,
): RawBuilder<unknown> {
  const isListed = sql`found.application_id = ${applicationId}
    and found.deleted_at is ${sql.raw(trashed ? 'not null' : 'null')}`
  const hasText = search === 'short' ? matchesTexts('found', pattern) : matches(searchedText, pattern, search)
  // File names have no application, so the files of all applications would be compared if the text is short or common.
  return sql`builds.id in (
    select found.id from builds as found where ${isListed} and ${hasText}
    union all
    select found.id from builds as found join files on files.build_id = found.id
    where ${isListed} and ${matches(sql`files.filename`, pattern, search)}
    union all ${selectLabeled(pattern, applicationId)})`
}

/** How many of the newest builds tell whether a search is common: whether at least one in 20 of those in the list matches. */
const maxSampled = 1000
const minShare = 1 / 20
const minMatches = 5
/** How many builds are compared with the text one by one, even if few of them match. */
const maxCompared = 5_000

type Search = {
  applicationId: string
  pattern: string
  /** Selects columns of the builds that match all filters, which are found through indexes. */
  indexed: RawBuilder<unknown>
  /** Selects the same columns of the builds that match the other filters. */
  unsearched: RawBuilder<unknown>
  /** The condition of the other filters. */
  others: RawBuilder<boolean>
  /** The number of builds that `unsearched` selects, and a number that is not smaller and takes less time, if there is one. */
  total: RawBuilder<unknown>
  mostBuilds: RawBuilder<unknown> | undefined
  place: Parameters<typeof idsOfPage>[1]
}

/**
 * Selects the total and the IDs of a page of a search. PostgreSQL evaluates a subquery only when it needs it, so that the builds are
 * found in one of these ways:
 * - If the other filters leave few builds, these are compared with the text.
 * - A common text is compared with builds in the order of the list until the page is full. All builds are read once to count it.
 * - The builds with a rare text are found through indexes.
 */
export function selectSearchPage(search: Search): RawBuilder<unknown> {
  const { applicationId, pattern, indexed, unsearched, others, total, mostBuilds = sql`null`, place } = search
  const hasText = matchesTexts('builds', pattern)
  const isMatch = sql`(${hasText}
    or exists (select from files where files.build_id = builds.id and files.filename ilike ${pattern})
    or exists (${selectLabeled(pattern, applicationId)} and build_labels.build_id = builds.id))`
  const areFew = sql`(select coalesce(are_few, false) from most)`
  const isCommon = sql`(select is_common from sampled)`
  const newest = sql`(select * from builds where application_id = ${applicationId} and deleted_at is null
    order by created_at desc, id desc limit ${sql.lit(maxSampled)})`
  return sql`with most as materialized (select ${mostBuilds} <= ${sql.lit(maxCompared)} as are_few),
    sampled as materialized (
      select count(*) filter (where ${isMatch}) >= greatest(${sql.lit(minMatches)}, count(*) * ${sql.lit(minShare)}) as is_common
      from ${newest} as builds where ${others} and not ${areFew}),
    found as materialized (
      ${unsearched} and ${isMatch} and ${areFew} union all ${indexed} and not ${areFew} and not ${isCommon}),
    unmatched as materialized (
      select builds.id from (${unsearched} and ${hasText} is not true and ${isCommon}) as builds),
    counted as materialized (select case when ${areFew} or not ${isCommon} then (select count(*) from found)
      else ${total} - (select count(*) from unmatched) + (select count(*) from unmatched where id in (
        select build_id from files where filename ilike ${pattern}
        union all ${selectLabeled(pattern, applicationId)})) end as total)
    select total, case when ${areFew} or not ${isCommon} then ${idsOfPage(sql`found`, { ...place, isLate: false })}
      else ${idsOfPage(sql`(${unsearched} and ${isMatch})`, place)} end as ids from counted`
}
