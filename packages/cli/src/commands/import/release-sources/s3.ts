import { formatVersion, versionFromFilename, versionFromTag } from '@quayside/sdk/version'
import { firstNonEmpty } from '../../../ci/ci-metadata.ts'
import type { Env } from '../../../ci/ci-metadata.ts'
import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { parseServerUrl } from '../../../server-url.ts'
import type { ListedFile, ListedRelease, ReleaseService, ReleaseSource } from './release-source.ts'
import { S3Bucket } from './s3-bucket.ts'
import type { S3Object } from './s3-bucket.ts'
import type { S3Credentials } from './sign-s3-url.ts'
import { groupsOf } from './version-groups.ts'

/** An object whose folder or name contains a version. */
type VersionedObject = S3Object & {
  filename: string
  /** The folder whose name contains the version, or that of the file. */
  folder: string
  version: string
  /** The folders between that folder and the file, such as `windows`. */
  hint: string
}

const notesName = /^(?:release[-_ ]?notes|notes|changelog|changes)(?:\.(?:md|markdown|txt))?$/i
const maxNotesBytes = 256 * 1024

/** The files below a prefix of a bucket. A folder whose name contains a version becomes a release. */
export const s3: ReleaseService = {
  options: ['bucket', 'prefix', 'region', 'url'],
  readsFolder: false,
  open({ runtime, output, signal }: CommandContext, options) {
    const { bucket, url } = options
    if (bucket === undefined || bucket === '')
      throw new Failure('usage', 'Name the bucket with --bucket, such as --bucket builds --prefix app/.')
    const { env } = runtime
    const address = firstNonEmpty(url, env['AWS_ENDPOINT_URL_S3'], env['AWS_ENDPOINT_URL'])
    const endpoint = address === undefined ? undefined : parseServerUrl(address)
    const region = firstNonEmpty(options.region, env['AWS_REGION'], env['AWS_DEFAULT_REGION']) ?? 'us-east-1'
    const prefix = (options.prefix ?? '').replace(/^\/+/, '')
    const credentials = credentialsIn(env)
    const store = new S3Bucket({ bucket, endpoint, region, credentials, context: { output, signal } })
    const unusable: ReleaseSource['unusable'] = []
    return Promise.resolve({
      id: `s3 ${endpoint ?? 'aws'} ${bucket} ${prefix}`,
      name: prefix.split('/').findLast((segment) => segment !== '') ?? bucket,
      description: null,
      repositoryUrl: null,
      repositoryHost: null,
      neverImported: 'earlier versions, tags and access rights of objects',
      unusable,
      async *releases() {
        const found: VersionedObject[] = []
        for await (const object of store.objects(prefix)) {
          if (object.key.endsWith('/')) continue
          const versioned = findVersion(object, prefix)
          if (versioned !== undefined) found.push(versioned)
          else
            unusable.push({ what: object.key, reason: 'Neither its name nor its folder contains a version.' })
        }
        for (const [id, objects] of groupsOf(found, ({ folder, version }) => `${folder}${version}`))
          yield await describeRelease(store, id, objects)
      },
    })
  },
}

function credentialsIn(env: Env): S3Credentials | undefined {
  const accessKeyId = firstNonEmpty(env['AWS_ACCESS_KEY_ID'])
  const secretAccessKey = firstNonEmpty(env['AWS_SECRET_ACCESS_KEY'])
  const sessionToken = firstNonEmpty(env['AWS_SESSION_TOKEN'])
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

/** Finds the version in the folder closest to the file or else in its name. */
function findVersion(object: S3Object, prefix: string): VersionedObject | undefined {
  const segments = object.key.slice(prefix.length).split('/').filter(Boolean)
  const filename = segments.pop() ?? ''
  const index = segments.findLastIndex((segment) => versionFromTag(segment) !== undefined)
  const version = segments[index]
  if (version !== undefined) {
    const folder = segments
      .slice(0, index)
      .map((segment) => `${segment}/`)
      .join('')
    return { ...object, filename, folder, version, hint: segments.slice(index + 1).join('-') }
  }
  const inName = versionFromFilename(filename)
  if (inName === undefined) return undefined
  const folder = segments.map((segment) => `${segment}/`).join('')
  return { ...object, filename, folder, version: formatVersion(inName), hint: segments.join('-') }
}

async function describeRelease(
  store: S3Bucket,
  id: string,
  objects: VersionedObject[],
): Promise<ListedRelease> {
  const isNotes = ({ filename, hint, sizeBytes }: VersionedObject) =>
    hint === '' && notesName.test(filename) && sizeBytes <= maxNotesBytes
  const notes = objects.find(isNotes)
  const version = objects[0]?.version ?? id
  const times = objects.flatMap(({ modifiedAt }) => modifiedAt ?? [])
  return {
    id,
    title: version,
    tag: version,
    notes: notes === undefined ? null : await store.text(notes.key),
    date: times.toSorted().at(-1) ?? null,
    status: 'published',
    isPrerelease: false,
    url: null,
    commit: null,
    files: objects.filter((object) => object !== notes).map((object) => describeFile(store, object)),
  }
}

const describeFile = (store: S3Bucket, { key, filename, hint, modifiedAt }: VersionedObject): ListedFile => ({
  id: key,
  filename,
  hint,
  uploadedAt: modifiedAt,
  async locate() {
    const found = await store.head(key)
    return found && { ...found, filename, url: () => Promise.resolve(store.url(key).href) }
  },
})
