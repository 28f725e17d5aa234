import { hash } from 'node:crypto'
import type { Adapter, Entry, FeedRequest, PublishedFile } from './adapter.ts'
import { pathOf } from './published-files.ts'
import { json } from './text.ts'

// As in Gitea. Obtainium asks for 100 releases.
const defaultPageSize = 30
const maxPageSize = 100

/**
 * The read-only part of the release API of Gitea and Forgejo, below `api/v1/repos/{owner}/{repository}/releases`. A
 * channel is one repository, whatever its name, because clients differ in the names that they can send.
 */
export const gitea: Adapter = {
  name: 'Gitea releases',
  rollout: 'client_id',
  paths: ['api/v1'],
  setUp: ({ base, origin, channelId, token }) => [
    // Obtainium and Velopack know only the host.
    { title: 'Obtainium and Velopack', code: `${origin}/${channelId}/${token}` },
    {
      title: 'mise.toml',
      code: `"forgejo:quayside/${token}" = { version = "latest", api_url = "${base}/api/v1" }`,
    },
    {
      title: 'Renovate',
      code: `{ "datasource": "gitea-releases", "packageName": "quayside/${token}", "registryUrls": ["${base}"] }`,
    },
  ],
  query: ['page', 'limit', 'per_page', 'pre-release'],
  listMissing: (entry) =>
    listAssets(entry).length === 0 ? [{ message: 'Upload a build. Its files become the assets.' }] : [],
  answer(request, feed) {
    const [api, v1, repos, owner, repository, releases, kind, tag, ...others] = request.path
    if (api !== 'api' || v1 !== 'v1' || repos !== 'repos' || releases !== 'releases') return undefined
    if (!owner || !repository || others.length > 0) return undefined
    const entries = feed.offers().filter((entry) => listAssets(entry).length > 0)
    const url = `${request.base}/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}/releases`
    if (kind === undefined) return listPage(entries, url, request)
    const found =
      kind === 'latest' && tag === undefined
        ? entries.find((entry) => !isPrerelease(entry))
        : kind === 'tags' && tag
          ? entries.find(({ version }) => version === tag.replace(/^v(?=\d)/, ''))
          : undefined
    return found && json(describe(found, url, request.base))
  },
}

function listPage(entries: readonly Entry[], url: string, { base, query }: FeedRequest) {
  const shown = entries.filter(
    (entry) => query.get('pre-release') === null || isPrerelease(entry) === isTrue(query.get('pre-release')),
  )
  const page = readNumber(query.get('page'), { standard: 1, max: 1_000_000 })
  const size = readNumber(query.get('limit') ?? query.get('per_page'), {
    standard: defaultPageSize,
    max: maxPageSize,
  })
  const lastPage = Math.max(1, Math.ceil(shown.length / size))
  const linkTo = (number: number, relation: string) => {
    const parameters = new URLSearchParams(query)
    parameters.set('page', String(number))
    return `<${url}?${parameters.toString()}>; rel="${relation}"`
  }
  const links = [
    ...(page < lastPage ? [linkTo(page + 1, 'next'), linkTo(lastPage, 'last')] : []),
    ...(page > 1 ? [linkTo(1, 'first'), linkTo(Math.min(page - 1, lastPage), 'prev')] : []),
  ]
  return {
    ...json(shown.slice((page - 1) * size, page * size).map((entry) => describe(entry, url, base))),
    headers: {
      // Renovate reads pages until it has this number.
      'x-total-count': String(shown.length),
      ...(links.length === 0 ? {} : { link: links.join(', ') }),
    },
  }
}

function readNumber(text: string | null, { standard, max }: { standard: number; max: number }): number {
  const number = Number(text ?? standard)
  return Number.isInteger(number) && number > 0 ? Math.min(number, max) : standard
}

const isTrue = (text: string | null): boolean => text === 'true' || text === '1'

const isPrerelease = ({ parsed }: Entry): boolean => parsed.extra !== null

/** Every file with a checksum, including signatures, which some clients verify. */
const listAssets = ({ files }: Entry): PublishedFile[] =>
  files.some(({ kind }) => kind === 'file') ? files.filter(({ sha256 }) => sha256 !== null) : []

function describe(entry: Entry, url: string, base: string) {
  const publishedAt = entry.publishedAt.toISOString()
  const page = `${url}/tags/${encodeURIComponent(entry.version)}`
  return {
    id: numberOf(entry.version),
    tag_name: entry.version,
    target_commitish: 'main',
    name: entry.title,
    body: entry.notes ?? '',
    url: page,
    html_url: page,
    draft: false,
    prerelease: isPrerelease(entry),
    created_at: publishedAt,
    published_at: publishedAt,
    assets: listAssets(entry).map((file) => ({
      id: numberOf(file.id),
      name: file.filename,
      size: file.sizeBytes,
      download_count: 0,
      created_at: file.createdAt.toISOString(),
      uuid: file.id,
      browser_download_url: `${base}/${pathOf(entry, file)}`,
      digest: `sha256:${file.sha256}`,
      type: 'attachment',
    })),
  }
}

/** Returns a number that a double represents exactly, because clients expect IDs to be numbers. */
const numberOf = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, 6)
