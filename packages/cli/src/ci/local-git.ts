import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The state of the local git repository, empty if there is none. */
export type LocalGit = { commit?: string; branch?: string; tag?: string; remoteUrl?: string }

/** Reads the current commit, its branch and tag, and the remote URL with the installed git. */
export async function readLocalGit(cwd: string): Promise<LocalGit> {
  const commit = await runGit(cwd, 'rev-parse', 'HEAD')
  if (!commit) return {}
  const [branch, tags, remotes] = await Promise.all([
    runGit(cwd, 'symbolic-ref', '--short', '-q', 'HEAD'),
    runGit(cwd, 'tag', '--points-at', 'HEAD', '--sort=-version:refname'),
    runGit(cwd, 'remote'),
  ])
  const names = remotes?.split('\n') ?? []
  const remote = names.includes('origin') ? 'origin' : names[0]
  const remoteUrl = remote ? await runGit(cwd, 'remote', 'get-url', remote) : undefined
  const tag = tags?.split('\n')[0]
  return {
    commit,
    ...(branch ? { branch } : {}),
    ...(tag ? { tag } : {}),
    ...(remoteUrl ? { remoteUrl } : {}),
  }
}

async function runGit(cwd: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd, timeout: 10_000 })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
