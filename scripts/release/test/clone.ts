import { globSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../run.ts'

export const repository = join(import.meta.dirname, '../../..')

const identity = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
}

/**
 * Returns a commit with the current state of all tracked files. The repository does not change, and another process that
 * locks its index does not matter.
 */
export async function currentCommit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-index-'))
  try {
    const env = { ...process.env, ...identity, GIT_INDEX_FILE: join(folder, 'index') }
    const git = async (...args: string[]) => (await run('git', args, { cwd: repository, env })).trim()
    await git('read-tree', 'HEAD')
    await git('add', '--update')
    const tree = await git('write-tree')
    return await git('commit-tree', tree, '-p', 'HEAD', '-m', 'Current state')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const installed = '{node_modules,packages/*/node_modules,scripts/tools/*/node_modules}'
/** The outputs of scripts/build.ts, which builds those again whose sources have changed. */
const built = '{packages/web/dist,packages/cli/download,packages/server/{programs,bundle}}'

/** Creates a checkout of a commit that uses the installed packages of the repository. With `copiesBuilds`, it is built. */
export async function cloneRepository(
  folder: string,
  commit: string,
  { copiesBuilds = false } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const git = (...args: string[]) => run('git', args, { cwd: folder })
  await git('init', '--quiet')
  // No branch contains the commit, so it is fetched by its ID.
  await git('fetch', '--quiet', '--depth=1', repository, commit)
  await git('checkout', '--quiet', 'FETCH_HEAD')
  await appendFile(join(folder, '.git/info/exclude'), 'node_modules\n')
  for (const path of globSync(installed, { cwd: repository }))
    await symlink(join(repository, path), join(folder, path))
  for (const path of copiesBuilds ? globSync(built, { cwd: repository }) : [])
    await cp(join(repository, path), join(folder, path), { recursive: true })
}
