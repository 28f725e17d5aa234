import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, QuaysideError, retryDelayMs } from '@quayside/sdk'
import type { Build, QuaysideClient } from '@quayside/sdk'
import { version } from '../../defaults.ts'
import { Failure } from '../../failure.ts'
import type { Output } from '../../output/output.ts'
import { checksumOf } from '../../transfer/file-checksum.ts'
import { filenameInHeader, filenameInUrl } from '../../transfer/response-filename.ts'
import { safeFileName } from '../../transfer/safe-name.ts'
import { neverImportedByApi } from './import-report.ts'
import type { ImportSource, SourceFile, SourceFiles, SourceRelease } from './import-source.ts'
import { readSettings } from './source-settings.ts'

type Options = {
  server: string
  key: string
  applicationId: string
  output: Output
  signal: AbortSignal
}

type Link = {
  temp_url: string
  filename: string
  size_bytes: number
  checksum_md5?: string | null
  checksum_sha256?: string | null
}
/** What locates the files of a build. */
type ListedBuild = Pick<
  Build,
  'id' | 'build_structure' | 'download_url' | 'size_total_bytes' | 'metadata_total_bytes'
>
type Links = { primary_file: Link; expansion_files?: Link[] }

const perPage = 100
// A hosted server may limit the rate for minutes. Each retry waits as long as Retry-After says.
const retries = 12

/** Creates a source that reads an application from any server with the API of the contract. */
export function createApiSource({ server, key, applicationId, output, signal }: Options): ImportSource {
  const client = createClient({
    baseUrl: server,
    apiKey: key,
    userAgent: `quayside-cli/${version}`,
    retries,
  })
  const application_id = applicationId
  const call = { signal }
  const get = (url: string) => fetchDownload(url, { server, key, signal })
  let canReadArtifacts = true
  const filesOf = async (build: ListedBuild): Promise<SourceFiles | undefined> => {
    const files = await findFiles(build, get)
    if (files === undefined || build.metadata_total_bytes === 0 || !canReadArtifacts) return files
    const artifacts = await findArtifacts(client, application_id, build.id, signal)
    if (artifacts !== undefined) return { ...files, artifacts }
    canReadArtifacts = false
    output.note('The server does not provide downloads of metadata artifacts. They are not imported.')
    return files
  }
  return {
    id: `${server}/${applicationId}`,
    neverImported: neverImportedByApi,
    reportsFailedBuilds: false,
    async application() {
      const { data } = await client.getApplication({ application_id }, call)
      const platforms = (await client.listPlatforms({ application_id }, call)).data
      const { name, description } = data
      return { name, description, platforms: platforms.map(({ identifier }) => identifier) }
    },
    streams: async () => (await client.listStreams({ application_id }, call)).data,
    labels: async () => (await client.listLabels({ application_id }, call)).data,
    async *builds() {
      const list = everyPage((page) =>
        client.listBuilds(
          { application_id, sort_by: 'created_at', sort: 'asc', per_page: perPage, page },
          call,
        ),
      )
      for await (const build of list) yield { build, files: () => filesOf(build) }
    },
    settings: () => readSettings(client, application_id, signal),
    async *releases() {
      const list = everyPage((page) =>
        client.listReleases(
          { application_id, sort_by: 'created_at', sort: 'asc', per_page: perPage, page },
          call,
        ),
      )
      for await (const { id } of list) {
        const found = await ignoringNotFound(client.getRelease({ application_id, release_id: id }, call))
        if (found !== undefined) yield releaseOf(found.data)
      }
    },
  }
}

const releaseOf = (
  release: Omit<SourceRelease, 'build_ids'> & { builds: { id: string }[] },
): SourceRelease => ({
  ...release,
  build_ids: release.builds.map(({ id }) => id),
})

async function* everyPage<Item>(
  list: (page: number) => Promise<{ data: Item[]; pagination: { last_page: number } }>,
): AsyncGenerator<Item> {
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, pagination } = await list(page)
    last = pagination.last_page
    yield* data
  }
}

async function ignoringNotFound<T>(response: Promise<T>): Promise<T | undefined> {
  return response.catch((error: unknown) => {
    if (error instanceof QuaysideError && error.status === 404) return undefined
    throw error
  })
}

type Get = (url: string) => Promise<Response | undefined>

/**
 * Follows the download URL of a build. It returns links as JSON, redirects to the file or returns the file itself. The
 * last two name only one file, whose size is that of the build.
 */
async function findFiles(build: ListedBuild, get: Get): Promise<SourceFiles | undefined> {
  const readLinks = async (): Promise<Links | { direct: Response } | undefined> => {
    const response = await get(build.download_url)
    if (response === undefined) return undefined
    return isJson(response) ? ((await response.json()) as Links) : { direct: response }
  }
  const links = await readLinks()
  if (links === undefined) return undefined
  if ('direct' in links) {
    await links.direct.body?.cancel()
    if (build.build_structure !== 'file')
      throw new Failure(
        'failed',
        `The server provides only one file of the build ${build.id}, which has several. The build cannot be imported.`,
      )
    return { primary: directFile(build, links.direct, get), expansion: undefined, artifacts: [] }
  }
  const fileAt = (choose: (links: Links) => Link | undefined): SourceFile | undefined => {
    let current = choose(links)
    if (current === undefined) return undefined
    return {
      ...described(current),
      async url(fresh) {
        const renewed = fresh ? await readLinks() : undefined
        if (renewed !== undefined && !('direct' in renewed)) current = choose(renewed) ?? current
        return current?.temp_url ?? ''
      },
    }
  }
  const primary = fileAt(({ primary_file }) => primary_file)
  if (primary === undefined) return undefined
  return { primary, expansion: fileAt(({ expansion_files = [] }) => expansion_files[0]), artifacts: [] }
}

const described = ({ filename, size_bytes, checksum_md5 = null, checksum_sha256 = null }: Link) => ({
  filename: safeFileName(filename),
  sizeBytes: size_bytes,
  checksum: checksumOf({ checksum_md5, checksum_sha256 }),
})

function directFile(build: ListedBuild, response: Response, get: Get): SourceFile {
  return {
    filename: filenameOf(response),
    sizeBytes: build.size_total_bytes,
    checksum: undefined,
    async url() {
      const again = await get(build.download_url)
      await again?.body?.cancel()
      return again?.url ?? build.download_url
    },
  }
}

/** Returns the file name in the Content-Disposition header or in the URL. */
const filenameOf = ({ headers, url }: Response): string =>
  safeFileName(filenameInHeader(headers.get('content-disposition')) ?? filenameInUrl(url))

const isJson = (response: Response): boolean =>
  /^application\/json\b/.test(response.headers.get('content-type') ?? '') &&
  !response.headers.has('content-disposition')

/** Returns the metadata artifacts of a build, or undefined if the server has no downloads of them. */
async function findArtifacts(
  client: QuaysideClient,
  application_id: string,
  build_id: string,
  signal: AbortSignal,
): Promise<SourceFile[] | undefined> {
  const { data } = await client.listBuildMetadata({ application_id, build_id }, { signal })
  const files: SourceFile[] = []
  for (const { id } of data) {
    const readLink = () =>
      ignoringNotFound(
        client.getBuildMetadataDownload({ application_id, build_id, artifact_id: id }, { signal }),
      )
    const link: Link | undefined = await readLink()
    if (link === undefined) return undefined
    files.push({
      ...described(link),
      url: async (fresh) => (fresh ? ((await readLink()) ?? link) : link).temp_url,
    })
  }
  return files
}

/**
 * Requests a download URL and follows redirects. The key is only sent to the server itself. Returns undefined if the
 * build was deleted.
 */
async function fetchDownload(
  address: string,
  { server, key, signal }: { server: string; key: string; signal: AbortSignal },
): Promise<Response | undefined> {
  let url = new URL(address, server)
  for (let attempt = 0; attempt < retries; attempt++) {
    const isOwn = url.origin === new URL(server).origin
    const response = await fetch(url, {
      headers: isOwn ? { authorization: `Bearer ${key}`, accept: 'application/json, */*' } : {},
      redirect: 'manual',
      signal,
    })
    const location = response.headers.get('location')
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status === 404 || response.status === 410) return undefined
    if (response.status >= 300 && response.status < 400 && location !== null) url = new URL(location, url)
    else if (response.status === 429 || response.status >= 500)
      await sleep(retryDelayMs(attempt, response.headers.get('retry-after')), undefined, { signal })
    else throw new QuaysideError(response.status, `${url.origin} responded with HTTP ${response.status}.`)
  }
  throw new Failure(
    'unreachable',
    `${url.origin} does not provide the download. Rerun the command to resume.`,
  )
}
