import { isDeepStrictEqual } from 'node:util'
import type { Executor } from '../../../database/transaction.ts'
import {
  insertCommit,
  listCommits,
  type RepositoryCommit,
  type RepositoryFiles,
  type RepositoryKey,
} from './repository-commit.db.ts'

const maxAttempts = 5

/**
 * Adds a commit to a repository if its files have changed, and returns all commits, oldest first. A node that has not
 * noticed a change yet may bring older files back; the next request after it has noticed replaces them.
 */
export async function commitFiles(
  db: Executor,
  key: RepositoryKey,
  { message, files }: { message: string; files: RepositoryFiles },
): Promise<readonly RepositoryCommit[]> {
  const commits: RepositoryCommit[] = []
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    commits.push(...(await listCommits(db, key, commits.length)))
    if (isDeepStrictEqual(commits.at(-1)?.files ?? {}, files)) break
    await insertCommit(db, key, { number: commits.length + 1, message, files })
  }
  return commits
}
