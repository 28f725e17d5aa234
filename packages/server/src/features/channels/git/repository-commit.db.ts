import { sql } from 'kysely'
import type { Executor } from '../../../database/transaction.ts'

/** Selects a repository of a channel. */
export type RepositoryKey = { channelId: string; format: string }

/** The contents of files by their paths. */
export type RepositoryFiles = Readonly<Record<string, string>>

export type RepositoryCommit = {
  number: number
  message: string
  files: RepositoryFiles
  committed_at: string
}

/** Lists the commits of a repository after one of them, oldest first. */
export const listCommits = (
  db: Executor,
  { channelId, format }: RepositoryKey,
  afterNumber = 0,
): Promise<RepositoryCommit[]> =>
  db
    .selectFrom('repository_commits')
    .select(['number', 'message', 'files', 'committed_at'])
    .where('channel_id', '=', channelId)
    .where('format', '=', format)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .$narrowType<{ files: RepositoryFiles }>()
    .execute()

/**
 * Adds a commit unless a commit with its number exists, which another node may have added. Its time is that of the
 * database in whole seconds, and never before that of the previous commit.
 */
export async function insertCommit(
  db: Executor,
  { channelId, format }: RepositoryKey,
  { number, message, files }: Omit<RepositoryCommit, 'committed_at'>,
): Promise<void> {
  await sql`
    insert into repository_commits (channel_id, format, number, message, files, committed_at)
    select channels.id, ${format}, ${number}::integer, ${message}, ${JSON.stringify(files)}::jsonb,
      greatest(date_trunc('second', clock_timestamp()), (
        select committed_at from repository_commits
        where channel_id = ${channelId} and format = ${format} and number = ${number}::integer - 1))
    from channels where id = ${channelId}
    on conflict do nothing`.execute(db)
}
