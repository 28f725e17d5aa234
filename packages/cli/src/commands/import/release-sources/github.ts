import type { CommandContext } from '../../../command-context.ts'
import { commitOf, createWebApi, requireOwnerAndName, serviceUrl } from './git-hosting.ts'
import type { ListedFile, ListedRelease, ReleaseService } from './release-source.ts'
import { fieldsOf, idOf, listOf, sha256Of, sizeOf, textOf, timeOf } from './untrusted-json.ts'
import type { Fields } from './untrusted-json.ts'
import type { WebApi } from './web-api.ts'

/** Releases of a repository on GitHub or GitHub Enterprise. */
export const github: ReleaseService = {
  options: ['repository', 'url'],
  readsFolder: false,
  async open(context: CommandContext, options, { token }) {
    const repository = requireOwnerAndName(options)
    const api = createWebApi(context, {
      service: 'GitHub',
      base: apiBase(serviceUrl(options, 'https://github.com')),
      token,
      variable: 'GITHUB_TOKEN',
      authorize: (key) => ({ authorization: `Bearer ${key}` }),
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    })
    const found = fieldsOf(await api.json(`/repos/${repository}`))
    return {
      id: `github ${api.base} ${repository.toLowerCase()}`,
      name: textOf(found['name']) ?? repository,
      description: textOf(found['description']),
      repositoryUrl: textOf(found['clone_url']),
      repositoryHost: 'github',
      neverImported: 'download counts, authors, discussions, reactions and archives of the source code',
      unusable: [],
      async *releases() {
        for await (const page of api.pages(`/repos/${repository}/releases?per_page=100`))
          for (const release of listOf(page)) {
            const listed = describeRelease(release)
            const files = listOf(release['assets']).flatMap((asset) => describeAsset(api, repository, asset))
            if (listed !== undefined) yield { ...listed, files }
          }
      },
    }
  },
}

/** Returns the base URL of the API of GitHub.com, of GitHub Enterprise Cloud or of GitHub Enterprise Server. */
function apiBase(server: string): string {
  const { protocol, hostname, host } = new URL(server)
  if (hostname === 'github.com' || hostname === 'api.github.com') return 'https://api.github.com'
  if (hostname.endsWith('.ghe.com')) return `${protocol}//api.${host.replace(/^api\./, '')}`
  return `${server.replace(/\/api\/v3$/, '')}/api/v3`
}

/** Describes a release of the API of GitHub, which Gitea has too. Returns undefined if it has no ID. */
export function describeRelease(release: Fields): Omit<ListedRelease, 'files'> | undefined {
  const id = idOf(release['id'])
  if (id === null) return undefined
  const tag = textOf(release['tag_name'])
  const isDraft = release['draft'] === true
  const published = isDraft ? null : timeOf(release['published_at'])
  return {
    id,
    title: textOf(release['name']) ?? tag ?? id,
    tag,
    notes: textOf(release['body']),
    date: published ?? timeOf(release['created_at']),
    status: isDraft ? 'draft' : 'published',
    isPrerelease: release['prerelease'] === true,
    url: textOf(release['html_url']),
    commit: commitOf(textOf(release['target_commitish'])),
  }
}

function describeAsset(api: WebApi, repository: string, asset: Fields): ListedFile[] {
  const id = idOf(asset['id'])
  const filename = textOf(asset['name'])
  const sizeBytes = sizeOf(asset['size'])
  // An asset in any other state was not uploaded completely.
  if (id === null || filename === null || sizeBytes === undefined || asset['state'] !== 'uploaded') return []
  const sha256 = sha256Of(textOf(asset['digest'])?.replace(/^sha256:/, ''))
  const url = new URL(`${api.base}/repos/${repository}/releases/assets/${encodeURIComponent(id)}`)
  const file = {
    filename,
    sizeBytes,
    checksum: sha256 === null ? undefined : { algorithm: 'sha256' as const, hex: sha256 },
    url: () => Promise.resolve(url.href),
    headers: { ...api.headersFor(url), accept: 'application/octet-stream' },
  }
  const uploadedAt = timeOf(asset['created_at'])
  return [{ id, filename, uploadedAt, locate: () => Promise.resolve(file) }]
}
