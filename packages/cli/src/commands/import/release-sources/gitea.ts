import type { CommandContext } from '../../../command-context.ts'
import { createWebApi, requireOwnerAndName, serviceUrl } from './git-hosting.ts'
import { describeRelease } from './github.ts'
import { probeFile, requireSafeUrl } from './probe-file.ts'
import type { ListedFile, ReleaseService } from './release-source.ts'
import { fieldsOf, idOf, listOf, sizeOf, textOf, timeOf } from './untrusted-json.ts'
import type { Fields } from './untrusted-json.ts'
import type { WebApi } from './web-api.ts'

/** Releases of a repository on Gitea or Forgejo. */
export const gitea: ReleaseService = {
  options: ['repository', 'url'],
  readsFolder: false,
  async open(context: CommandContext, options, { token }) {
    const repository = requireOwnerAndName(options)
    const server = serviceUrl(options, 'https://gitea.com')
    const api = createWebApi(context, {
      service: 'Gitea',
      base: `${server}/api/v1`,
      token,
      variable: 'GITEA_TOKEN',
      authorize: (key) => ({ authorization: `token ${key}` }),
    })
    const found = fieldsOf(await api.json(`/repos/${repository}`))
    return {
      id: `gitea ${server} ${repository.toLowerCase()}`,
      name: textOf(found['name']) ?? repository,
      description: textOf(found['description']),
      repositoryUrl: textOf(found['clone_url']),
      repositoryHost: 'gitea',
      neverImported: 'download counts, authors and archives of the source code',
      unusable: [],
      async *releases() {
        for await (const page of api.pages(`/repos/${repository}/releases?limit=50`))
          for (const release of listOf(page)) {
            const listed = describeRelease(release)
            const files = listOf(release['assets']).flatMap((asset) => describeAsset(context, api, asset))
            if (listed !== undefined) yield { ...listed, files }
          }
      },
    }
  },
}

function describeAsset(context: CommandContext, api: WebApi, asset: Fields): ListedFile[] {
  const id = idOf(asset['id'])
  const filename = textOf(asset['name'])
  if (id === null || filename === null) return []
  const locate = async () => {
    const url = requireSafeUrl(textOf(asset['browser_download_url']), new URL(api.base))
    const headers = api.headersFor(url)
    // The size of a link to another server is not known.
    const listed = asset['type'] === 'external' ? undefined : sizeOf(asset['size'])
    const sizeBytes = listed ?? (await probeFile({ service: 'Gitea', url, headers, context }))?.sizeBytes
    if (sizeBytes === undefined) return undefined
    return { filename, sizeBytes, checksum: undefined, url: () => Promise.resolve(url.href), headers }
  }
  return [{ id, filename, uploadedAt: timeOf(asset['created_at']), locate }]
}
