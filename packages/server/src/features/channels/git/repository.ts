import type { Answer, Entry, Feed } from '../adapters/adapter.ts'
import { createCommit, createTree } from './git-objects.ts'
import { listSnapshots } from './history.ts'

/** The files of a repository with a version, by their paths. */
export type RepositoryFiles = ReadonlyMap<string, string>

type Options = {
  /** Identifies the repository among those of the publication. */
  key: string
  isReady: (entry: Entry) => boolean
  /** Returns the files for a version, or undefined while something is missing. */
  filesOf: (entry: Entry) => Promise<RepositoryFiles | undefined>
}

const branch = 'refs/heads/main'

/**
 * Answers a Git client that reads a repository over plain HTTP. The repository has a commit for each change of the
 * newest version. Every object can be fetched on its own, so there are no packs.
 */
export async function answerGit(
  [first = '', ...rest]: readonly string[],
  feed: Feed,
  options: Options,
): Promise<Answer | undefined> {
  const path = [first, ...rest].join('/')
  if (path === 'HEAD') return plain(`ref: ${branch}\n`)
  if (path === 'objects/info/packs') return plain('')
  const [, folder = '', name = ''] = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(path) ?? []
  if (path !== 'info/refs' && folder === '') return undefined
  // A rollout that grows completes without a change to the publication.
  const complete = feed.all.filter((entry) => feed.percentage(entry) >= 100).length
  const { head, objects } = await feed.remember(`git ${complete} ${options.key}`, async () =>
    createRepository(feed, options),
  )
  if (path === 'info/refs') return plain(head === undefined ? '' : `${head}\t${branch}\n`)
  const id = `${folder}${name}`
  // A client that has read the previous reference still fetches its objects.
  const body = objects.get(id) ?? feed.objects.find(id)
  return body && { contentType: 'application/x-git-loose-object', body }
}

const plain = (body: string) => ({ contentType: 'text/plain; charset=utf-8', body })

type Repository = { head: string | undefined; objects: ReadonlyMap<string, Buffer> }

async function createRepository(feed: Feed, { isReady, filesOf }: Options): Promise<Repository> {
  const known = new Map<string, Buffer>()
  let head: { id: string; tree: string } | undefined
  for (const { atMs, entry } of listSnapshots(await feed.history(), feed.nowMs, isReady)) {
    const files = entry === undefined ? new Map<string, string>() : await filesOf(entry)
    if (files === undefined) continue
    const objects = createTree(files)
    const tree = objects.at(-1)?.id ?? ''
    if (head?.tree === tree) continue
    const message = entry === undefined ? 'Withdraw the version' : `Publish ${entry.version}`
    const commit = createCommit({ tree, parent: head?.id, atMs, message })
    for (const { id, bytes } of [...objects, commit]) known.set(id, bytes)
    head = { id: commit.id, tree }
  }
  for (const [id, bytes] of known) feed.objects.add(id, bytes)
  return { head: head?.id, objects: known }
}
