import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What the git repository around a folder tells; everything undefined where there is none. */
export type LocalGit = { commit?: string; branch?: string; tag?: string; remoteUrl?: string }

/** Reads commit, branch, tag on the commit and the remote's address with the machine's own git. */
export async function readLocalGit(cwd: string): Promise<LocalGit> {
  const commit = await git(cwd, 'rev-parse', 'HEAD')
  if (!commit) return {}
  const [branch, tags, remotes] = await Promise.all([
    git(cwd, 'symbolic-ref', '--short', '-q', 'HEAD'),
    git(cwd, 'tag', '--points-at', 'HEAD', '--sort=-version:refname'),
    git(cwd, 'remote'),
  ])
  const names = remotes?.split('\n') ?? []
  const remote = names.includes('origin') ? 'origin' : names[0]
  const remoteUrl = remote ? await git(cwd, 'remote', 'get-url', remote) : undefined
  const tag = tags?.split('\n')[0]
  return {
    commit,
    ...(branch ? { branch } : {}),
    ...(tag ? { tag } : {}),
    ...(remoteUrl ? { remoteUrl } : {}),
  }
}

async function git(cwd: string, ...arguments_: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', arguments_, { cwd, timeout: 10_000 })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
