import type { Answer, Entry, Feed, FeedRequest } from '../adapters/adapter.ts'
import { tokenOf } from '../adapters/companion-json.ts'
import { createCommit, createTree } from './git-objects.ts'
import type { RepositoryCommit } from './repository-commit.db.ts'

/**
 * A repository with one file that describes the newest version. Its commits are stored, so that clients can pull whatever
 * happens to earlier versions: it has a commit for each change that a client has seen.
 */
export type RepositorySource = {
  format: string
  /** The name of the repository in URLs, such as `tap.git`. */
  name: string
  /** The folder and ending of the file, which has the name of the application, and its name in URLs without Git. */
  folder: string
  ending: string
  latest: string
  contentType: string
  /** Returns the file for a version; undefined while something is missing. */
  render: (entry: Entry, feed: Feed, urls: RepositoryUrls) => Promise<string | undefined>
  /** Writes a URL as in the file. */
  writeUrl: (url: string) => string
}

/** The URL of the channel, and that of the format below it. */
export type RepositoryUrls = { channelUrl: string; base: string }

const branch = 'refs/heads/main'

// A client can have a read key in its URL, which must not be stored.
const storedUrl = 'https://channel.invalid'

/** Answers a client that reads the repository with Git, or its file without Git. */
export async function answerRepository(
  { path: [name, ...rest] }: Pick<FeedRequest, 'path'>,
  feed: Feed,
  source: RepositorySource,
): Promise<Answer | undefined> {
  if (name === source.name) return answerGit(rest, feed, source)
  const isFile = name === source.latest || name === fileName(feed, source)
  if (rest.length > 0 || !isFile) return undefined
  const body = await renderNewest(feed.offers(), feed, source, feed.channelUrl)
  return body && { contentType: source.contentType, body: body.text }
}

const fileName = (feed: Feed, { ending }: RepositorySource): string =>
  `${tokenOf(feed.applicationName)}${ending}`

/** Returns the file for the newest version for which nothing is missing. */
async function renderNewest(
  entries: readonly Entry[],
  feed: Feed,
  { format, render }: RepositorySource,
  channelUrl: string,
): Promise<{ version: string; text: string } | undefined> {
  for (const entry of entries) {
    const text = await render(entry, feed, { channelUrl, base: `${channelUrl}/${format}` })
    if (text !== undefined) return { version: entry.version, text }
  }
  return undefined
}

/** Every object can be fetched on its own over plain HTTP, so there are no packs. */
async function answerGit(
  path: readonly string[],
  feed: Feed,
  source: RepositorySource,
): Promise<Answer | undefined> {
  const [first = '', folder = '', name = '', ...rest] = path
  if (rest.length > 0) return undefined
  const joined = path.join('/')
  if (joined === 'HEAD') return plain(`ref: ${branch}\n`)
  if (joined === 'objects/info/packs') return plain('')
  if (joined === 'info/refs') {
    const { head } = await findRepository(feed, source)
    return plain(head === undefined ? '' : `${head.id}\t${branch}\n`)
  }
  if (first !== 'objects' || !/^[0-9a-f]{40}$/.test(folder + name) || folder.length !== 2) return undefined
  const repository = await findRepository(feed, source)
  const body = repository.objects.get(folder + name) ?? (await repository.reload()).get(folder + name)
  return body && { contentType: 'application/x-git-loose-object', body }
}

const plain = (body: string) => ({ contentType: 'text/plain; charset=utf-8', body })

type Repository = {
  head: { id: string; number: number } | undefined
  objects: Map<string, Buffer>
  /** Adds the commits of other nodes to the objects. */
  reload(): Promise<Repository['objects']>
}

function findRepository(feed: Feed, source: RepositorySource): Promise<Repository> {
  // A rollout that grows completes without a change to the publication.
  const key = `git ${source.format} ${feed.everyone().length} ${feed.channelUrl}`
  return feed.remember(key, async () => {
    const commits = await feed.commit(source.format, await describeNewest(feed, source))
    const repository: Repository = {
      head: undefined,
      objects: new Map(),
      async reload() {
        addCommits(repository, await feed.listCommits(source.format, repository.head?.number ?? 0), write)
        return repository.objects
      },
    }
    const url = source.writeUrl(feed.channelUrl)
    const write = (content: string) => content.replaceAll(source.writeUrl(storedUrl), () => url)
    addCommits(repository, commits, write)
    return repository
  })
}

/** Returns the file for the newest version that is offered to everyone, because all clients share one history. */
async function describeNewest(
  feed: Feed,
  source: RepositorySource,
): Promise<Pick<RepositoryCommit, 'message' | 'files'>> {
  const newest = await renderNewest(feed.everyone(), feed, source, storedUrl)
  if (newest === undefined) return { message: 'Withdraw the version', files: {} }
  const { version, text } = newest
  return { message: `Publish ${version}`, files: { [`${source.folder}/${fileName(feed, source)}`]: text } }
}

/** Adds the commits that follow the newest one. Concurrent calls can have read the same ones. */
function addCommits(
  repository: Repository,
  commits: readonly RepositoryCommit[],
  write: (content: string) => string,
): void {
  const { objects } = repository
  for (const { number, message, files, committed_at } of commits) {
    if (number <= (repository.head?.number ?? 0)) continue
    const created = createTree(new Map(Object.entries(files).map(([path, text]) => [path, write(text)])))
    const tree = created.at(-1)?.id ?? ''
    const atMs = Date.parse(committed_at)
    const commit = createCommit({ tree, parent: repository.head?.id, atMs, message })
    for (const { id, bytes } of [...created, commit]) objects.set(id, bytes)
    repository.head = { id: commit.id, number }
  }
}
