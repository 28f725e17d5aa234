import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Env } from './ci-metadata.ts'

/** The state of a local Git repository, or an empty object if there is none. */
export type LocalGit = { commit?: string; branch?: string; tag?: string; remoteUrl?: string }

/**
 * The checkout of Quayside from whose source the CLI runs. People who try Quayside there upload files of other products.
 * Undefined if the CLI is installed.
 */
const ownCheckout = import.meta.url.endsWith('.ts')
  ? join(fileURLToPath(import.meta.url), '../../../../..')
  : undefined

/**
 * Runs the installed Git to read the current commit, branch and tag and the remote URL of the repository that contains
 * a folder. Returns an empty object if the folder is not in a work tree, or if it is in the checkout from which the CLI
 * runs. Calls `note` if Git refuses to read the repository.
 */
export async function readLocalGit(
  folder: string,
  env: Env,
  note: (text: string) => void,
): Promise<LocalGit> {
  const run = (...args: string[]) => runGit(folder, env, args)
  const head = await run('rev-parse', '--is-inside-work-tree', '--show-toplevel', 'HEAD')
  if (/safe\.directory/.test(head.stderr)) {
    const repository = /'([^']+)'/.exec(head.stderr)?.[1] ?? folder
    note(
      `Git refuses to read ${repository} because it belongs to another user. To record its commit and branch, ` +
        `run \`git config --global --add safe.directory '${repository}'\`.`,
    )
  }
  const [isInWorkTree, root = '', commit] = head.stdout.split('\n')
  if (isInWorkTree !== 'true' || !commit) return {}
  if (ownCheckout !== undefined && realpathSync(root) === realpathSync(ownCheckout)) return {}
  const [branch, tags, remotes] = await Promise.all([
    run('symbolic-ref', '--short', '-q', 'HEAD'),
    run('tag', '--points-at', 'HEAD', '--sort=-version:refname'),
    run('remote'),
  ])
  const names = remotes.stdout.split('\n')
  const remote = names.includes('origin') ? 'origin' : names[0]
  const remoteUrl = remote ? (await run('remote', 'get-url', remote)).stdout : ''
  const tag = tags.stdout.split('\n')[0]
  return {
    commit,
    ...(branch.stdout ? { branch: branch.stdout } : {}),
    ...(tag ? { tag } : {}),
    ...(remoteUrl ? { remoteUrl } : {}),
  }
}

// In a container, the checkout often belongs to another user. Reading it is safe, because these options keep Git from
// running the programs that its configuration names. Git 2.35.2 to 2.37 ignores safe.directory on the command line.
const options = ['safe.directory=*', 'core.fsmonitor=false', 'core.hooksPath=/dev/null']

// A Git hook sets these variables to its own repository, which may not be the repository of the folder.
const repositoryVariables = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR'])

async function runGit(folder: string, env: Env, args: string[]): Promise<{ stdout: string; stderr: string }> {
  const inherited = Object.entries(env).filter(([name]) => !repositoryVariables.has(name))
  const command = [...options.flatMap((option) => ['-c', option]), ...args]
  const safeEnv = {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  }
  try {
    const result = await promisify(execFile)('git', command, { cwd: folder, env: safeEnv, timeout: 10_000 })
    return { stdout: result.stdout.trim(), stderr: result.stderr }
  } catch (error) {
    return { stdout: '', stderr: error instanceof Error && 'stderr' in error ? String(error.stderr) : '' }
  }
}
