import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReleaseError } from './release-error.ts'
import { run } from './run.ts'

const maxListedChanges = 10

export type Checkout = { commit: string; committedAt: Date; version: string }

/** Returns the commit and the version of a checkout. Throws `ReleaseError` if it differs from its commit. */
export async function readCheckout(root: string): Promise<Checkout> {
  const git = (...args: string[]) => run('git', args, { cwd: root })
  const [commit, seconds] = (await git('log', '-1', '--format=%H %ct').catch(failWithoutGit))
    .trim()
    .split(' ')
  if (commit === undefined || seconds === undefined) throw new ReleaseError('The checkout has no commit.')
  const changes = (await git('status', '--porcelain')).split('\n').filter((line) => line !== '')
  if (changes.length > 0) throw new ReleaseError(describeChanges(changes))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { commit, committedAt: new Date(Number(seconds) * 1000), version }
}

function failWithoutGit(error: unknown): never {
  throw new ReleaseError('A release is built from a Git checkout. Clone the repository, then try again.', {
    cause: error,
  })
}

function describeChanges(changes: readonly string[]): string {
  const listed = changes.slice(0, maxListedChanges).map((line) => `  ${line}`)
  if (changes.length > maxListedChanges) listed.push(`  and ${changes.length - maxListedChanges} more`)
  return `The checkout has changes that are not committed. Commit or remove them, then try again:\n${listed.join('\n')}`
}
