import type { Answer, Entry, Feed } from '../adapters/adapter.ts'
import { createCommit, createTree } from './git-objects.ts'
import type { RepositoryCommit, RepositoryFiles } from './repository-commit.db.ts'

/**
 * A repository whose commits are stored, so that clients can pull whatever happens to earlier versions. It has a commit
 * for each change of its files that a client has seen.
 */
type Options = {
  format: string
  /** Returns the files for a version, given the URL of the channel; undefined while something is missing. */
  filesOf: (entry: Entry, channelUrl: string) => Promise<RepositoryFiles | undefined>
  /** Writes a URL as in the files. */
  writeUrl: (url: string) => string
}

const branch = 'refs/heads/main'

// A client can have a read key in its URL, which must not be stored.
const storedUrl = 'https://channel.invalid'

/** Answers a Git client that reads a repository over plain HTTP. Every object can be fetched on its own, without packs. */
export async function answerGit(
  path: readonly string[],
  feed: Feed,
  options: Options,
): Promise<Answer | undefined> {
  const [first = '', folder = '', name = '', ...rest] = path
  if (rest.length > 0) return undefined
  const joined = path.join('/')
  if (joined === 'HEAD') return plain(`ref: ${branch}\n`)
  if (joined === 'objects/info/packs') return plain('')
  if (joined === 'info/refs') {
    const { head } = await findRepository(feed, options)
    return plain(head === undefined ? '' : `${head.id}\t${branch}\n`)
  }
  if (first !== 'objects' || !/^[0-9a-f]{40}$/.test(folder + name) || folder.length !== 2) return undefined
  const repository = await findRepository(feed, options)
  const body = repository.objects.get(folder + name) ?? (await repository.reload()).get(folder + name)
  return body && { contentType: 'application/x-git-loose-object', body }
}

const plain = (body: string) => ({ contentType: 'text/plain; charset=utf-8', body })

type Repository = {
  head: { id: string; tree: string; number: number } | undefined
  objects: Map<string, Buffer>
  /** Adds the commits of other nodes to the objects. */
  reload(): Promise<Repository['objects']>
}

function findRepository(feed: Feed, options: Options): Promise<Repository> {
  // A rollout that grows completes without a change to the publication.
  const key = `git ${options.format} ${feed.everyone.length} ${feed.channelUrl}`
  return feed.remember(key, async () => {
    const commits = await feed.commit(options.format, await describeNewest(feed, options))
    const repository: Repository = {
      head: undefined,
      objects: new Map(),
      async reload() {
        addCommits(repository, await feed.listCommits(options.format, repository.head?.number ?? 0), write)
        return repository.objects
      },
    }
    const url = options.writeUrl(feed.channelUrl)
    const write = (content: string) => content.replaceAll(options.writeUrl(storedUrl), () => url)
    addCommits(repository, commits, write)
    return repository
  })
}

/** Returns the files for the newest version that is offered to everyone, because a client gets only one history. */
async function describeNewest(
  feed: Feed,
  { filesOf }: Options,
): Promise<Pick<RepositoryCommit, 'message' | 'files'>> {
  for (const entry of feed.everyone) {
    const files = await filesOf(entry, storedUrl)
    if (files !== undefined) return { message: `Publish ${entry.version}`, files }
  }
  return { message: 'Withdraw the version', files: {} }
}

function addCommits(
  repository: Repository,
  commits: readonly RepositoryCommit[],
  write: (content: string) => string,
): void {
  const { objects } = repository
  for (const { number, message, files, committed_at } of commits) {
    const created = createTree(new Map(Object.entries(files).map(([path, text]) => [path, write(text)])))
    const tree = created.at(-1)?.id ?? ''
    const atMs = Date.parse(committed_at)
    const commit = createCommit({ tree, parent: repository.head?.id, atMs, message })
    for (const { id, bytes } of [...created, commit]) objects.set(id, bytes)
    repository.head = { id: commit.id, tree, number }
  }
}
