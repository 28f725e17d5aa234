import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../../database/expressions.ts'
import type { Executor } from '../../database/transaction.ts'

const contains = (text: RawBuilder<unknown>, search: string) => sql`strpos(${text}, lower(${search})) > 0`

const labelsMatching = (applicationId: string, search: string) => sql`
  select id from labels where labels.name ilike ${containsPattern(search)} and labels.owner_id
    in (${applicationId}, (select workspace_id from applications where id = ${applicationId}))`

/**
 * Returns the SQL condition for rows of `builds` whose text or labels contain `search`. Few builds have no computed text
 * yet, so theirs is computed here.
 */
export function matchesSearch(applicationId: string, search: string): RawBuilder<boolean> {
  const labels = labelsMatching(applicationId, search)
  const text = sql`coalesce(
    (select text from build_texts where build_texts.build_id = builds.id), build_text(builds.id))`
  // PostgreSQL evaluates the first subquery only once, and without a matching label not the second one.
  return sql<boolean>`(${contains(text, search)} or ((select exists (${labels})) and exists (
    select from build_labels where build_labels.build_id = builds.id and label_id in (${labels}))))`
}

/**
 * Selects the IDs of the builds whose text or labels contain `search`, each once and in no particular order, including
 * builds in the trash. The rows are found as they are read, so that a limit ends the search.
 */
export const selectBuildsMatching = (applicationId: string, search: string): RawBuilder<unknown> => sql`
  select build_id from build_texts
  where text is not null and text_parts(application_id, text) @@ text_query(${applicationId}, lower(${search}))
    and application_id = ${applicationId} and ${contains(sql`text`, search)}
  union all
  select build_id from build_texts
  where text is null and application_id = ${applicationId} and ${contains(sql`build_text(build_id)`, search)}
  union all
  select build_id from build_labels
  where application_id = ${applicationId} and label_id in (${labelsMatching(applicationId, search)})
    and not exists (select from build_texts where build_texts.build_id = build_labels.build_id
      and ${contains(sql`coalesce(text, build_text(build_id))`, search)})
    and not exists (select from build_labels as other where other.build_id = build_labels.build_id
      and other.label_id < build_labels.label_id and other.label_id in (${labelsMatching(applicationId, search)}))`

/** Returns the number of builds whose text has not been computed yet, up to `limit`. */
export async function countMissingTexts(db: Executor, limit: number): Promise<number> {
  const missing = db.selectFrom('build_texts').select('build_id').where('text', 'is', null).limit(limit)
  const { count } = await db
    .selectFrom(missing.as('missing'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Computes up to `limit` missing texts and returns their number. */
export async function fillBuildTexts(db: Executor, limit: number): Promise<number> {
  const { rows } = await sql<{ filled: number }>`select fill_build_texts(${limit}) as filled`.execute(db)
  return rows[0]?.filled ?? 0
}
