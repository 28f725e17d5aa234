import type { CommandContext } from '../../../command-context.ts'
import { decodedText, filenameInUrl } from '../../../transfer/response-filename.ts'
import type { SourceFile } from '../import-source.ts'
import { createWebApi, requireRepository, serviceUrl } from './git-hosting.ts'
import { probeFile, requireSafeUrl } from './probe-file.ts'
import type { ListedFile, ListedRelease, ReleaseService, ReleaseSource } from './release-source.ts'
import { fieldsOf, idOf, listOf, sha256Of, sizeOf, textOf, timeOf } from './untrusted-json.ts'
import type { Fields } from './untrusted-json.ts'
import type { WebApi } from './web-api.ts'

/** Releases of a project on GitLab. Their files are links, mostly to the generic packages of the project. */
export const gitlab: ReleaseService = {
  options: ['repository', 'url'],
  readsFolder: false,
  async open(context: CommandContext, options, { token }) {
    const repository = requireRepository(options, 'group/project')
    const server = serviceUrl(options, 'https://gitlab.com')
    const api = createWebApi(context, {
      service: 'GitLab',
      base: `${server}/api/v4`,
      token,
      variable: 'GITLAB_TOKEN',
      authorize: (key) => ({ 'private-token': key }),
    })
    const project = fieldsOf(await api.json(`/projects/${encodeURIComponent(repository)}`))
    const projectId = idOf(project['id']) ?? encodeURIComponent(repository)
    const packages = new GenericPackages(api, projectId, repository)
    const unusable: ReleaseSource['unusable'] = []
    return {
      id: `gitlab ${server} ${projectId}`,
      name: textOf(project['name']) ?? repository,
      description: textOf(project['description']),
      repositoryUrl: textOf(project['http_url_to_repo']),
      repositoryHost: 'gitlab-self',
      neverImported: 'milestones, evidence, authors and archives of the source code',
      unusable,
      async *releases() {
        const path = `/projects/${projectId}/releases?per_page=100&order_by=released_at&sort=asc`
        for await (const page of api.pages(path))
          for (const release of listOf(page)) {
            const listed = describeRelease(release)
            if (listed === undefined) continue
            const links = listOf(fieldsOf(release['assets'])['links'])
            const files = links.flatMap((link) => {
              const file = describeLink(context, api, packages, link)
              if (typeof file !== 'string') return [file]
              unusable.push({ what: `the link ${textOf(link['name'])} of ${listed.title}`, reason: file })
              return []
            })
            yield { ...listed, files }
          }
      },
    }
  },
}

function describeRelease(release: Fields): Omit<ListedRelease, 'files'> | undefined {
  const tag = textOf(release['tag_name'])
  if (tag === null) return undefined
  const date = timeOf(release['released_at']) ?? timeOf(release['created_at'])
  return {
    id: tag,
    title: textOf(release['name']) ?? tag,
    tag,
    notes: textOf(release['description']),
    date,
    status: release['upcoming_release'] === true && date !== null ? 'scheduled' : 'published',
    isPrerelease: false,
    url: textOf(fieldsOf(release['_links'])['self']),
    commit: textOf(fieldsOf(release['commit'])['id']),
  }
}

/** Describes the file to which a link points, or returns why it points to none. */
function describeLink(
  context: CommandContext,
  api: WebApi,
  packages: GenericPackages,
  link: Fields,
): ListedFile | string {
  const id = idOf(link['id'])
  const type = textOf(link['link_type'])
  if (id === null) return 'It has no ID.'
  if (type === 'runbook' || type === 'image')
    return `It is a link to ${type === 'image' ? 'an' : 'a'} ${type}.`
  const address = textOf(link['url'])
  const name = textOf(link['name'])
  const last = address !== null && URL.canParse(address) ? filenameInUrl(address) : ''
  // The name of a link can be a description. It is a file name if it has an extension.
  const filename = name !== null && (last === '' || /\.[a-z]\w{0,9}$/i.test(name)) ? name : last
  const locate = async (): Promise<SourceFile | undefined> => {
    const url = requireSafeUrl(address, new URL(api.base))
    const headers = api.headersFor(url)
    const listed = await packages.find(url)
    const found = listed ?? (await probeFile({ service: 'GitLab', url, headers, context }))
    if (found === undefined) return undefined
    const checksum = listed?.checksum
    return { filename, sizeBytes: found.sizeBytes, checksum, url: () => Promise.resolve(url.href), headers }
  }
  return { id, filename, uploadedAt: null, locate }
}

type PackageFile = Pick<SourceFile, 'sizeBytes' | 'checksum'>

/** The files of the generic packages of a project, whose sizes and checksums GitLab reports. */
class GenericPackages {
  readonly #api: WebApi
  readonly #projectId: string
  /** The ID and the path, either of which a URL can contain. */
  readonly #names: (string | undefined)[]
  readonly #files = new Map<string, Promise<Map<string, PackageFile>>>()

  constructor(api: WebApi, projectId: string, path: string) {
    this.#api = api
    this.#projectId = projectId
    this.#names = [projectId, path]
  }

  /** Returns the file of a generic package at a URL, or undefined if the URL is another one or cannot be looked up. */
  async find(url: URL): Promise<PackageFile | undefined> {
    const pattern = /\/api\/v4\/projects\/([^/]+)\/packages\/generic\/([^/]+)\/([^/]+)\/([^/]+)$/
    const [, project, name, version, filename] = (pattern.exec(url.pathname) ?? []).map(decodedText)
    if (url.origin !== new URL(this.#api.base).origin || !this.#names.includes(project)) return undefined
    if (name === undefined || version === undefined || filename === undefined) return undefined
    const key = `${name} ${version}`
    const files = this.#files.get(key) ?? this.#list(name, version)
    this.#files.set(key, files)
    return (await files).get(filename)
  }

  async #list(name: string, version: string): Promise<Map<string, PackageFile>> {
    const path = `/projects/${this.#projectId}/packages`
    const query = new URLSearchParams({
      package_type: 'generic',
      package_name: name,
      package_version: version,
    })
    const packages = listOf(await this.#api.jsonIfAllowed(`${path}?${query.toString()}`))
    const found = packages.find((each) => each['name'] === name && each['version'] === version)
    const files = new Map<string, PackageFile>()
    const id = idOf(found?.['id'])
    if (id === null) return files
    for await (const page of this.#api.pages(`${path}/${encodeURIComponent(id)}/package_files?per_page=100`))
      for (const file of listOf(page)) {
        const filename = textOf(file['file_name'])
        const sizeBytes = sizeOf(file['size'])
        const hex = sha256Of(file['file_sha256'])
        if (filename === null || sizeBytes === undefined) continue
        // A later file with the same name replaces an earlier one.
        files.set(filename, { sizeBytes, checksum: hex === null ? undefined : { algorithm: 'sha256', hex } })
      }
    return files
  }
}
