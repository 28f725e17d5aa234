import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { parseVersion, versionSortKey } from '../../../../lib/semver.ts'
import { createFeed } from '../../feeds/feed.ts'
import { createMemory } from '../../feeds/memory.ts'
import {
  isAvailable,
  offeredToEveryone,
  type RolloutClient,
  type RolloutRules,
} from '../../rollouts/rollout-rules.ts'
import { blockSums } from '../../zsync/control-file.ts'
import type {
  Adapter,
  Answer,
  Entry,
  Feed,
  PackageDetails,
  PublishedBuild,
  PublishedFile,
  PublishedPackage,
} from '../adapter.ts'

/** A build of the test version, with its primary file and the metadata artifacts that belong to it. */
export type SampleBuild = {
  platform: string
  architectures?: string[]
  buildNumber?: string
  minimumOs?: string
  package?: Partial<PublishedPackage>
  filename: string
  artifacts?: Record<string, string | Buffer>
  details?: Partial<PackageDetails>
}

/** What a client reads in a document. */
export type ReadDocument = {
  versions: string[]
  urls: string[]
  notes?: string | undefined
  title?: string | undefined
}

export type FormatFixture = {
  /** The builds with which a version can be offered. */
  builds: (version: string) => SampleBuild[]
  /** The same builds without what the format needs in addition. */
  incomplete: (version: string) => SampleBuild[]
  /** What is reported as missing. */
  missing: RegExp
  /** The request of a client that has a version. */
  request: (current: string) => { path: string; query?: Record<string, string> }
  /** Whether a client that is up to date gets 204. */
  saysNoUpdate: boolean
  /** Reads a document as strictly as clients do. */
  read: (body: string) => ReadDocument
  /** Requests that lead nowhere. */
  unknown: string[]
}

const sampleDate = new Date('2026-11-21T10:00:00Z')
const unknownPackage: PublishedPackage = {
  format: 'zip',
  name: null,
  version: null,
  publisher: null,
  bundleId: null,
  dependencies: [],
}
const contents = new Map<string, Buffer>()
const packages = new WeakMap<PublishedBuild, PackageDetails>()

function fileOf(
  build: PublishedBuild,
  { id, filename, kind }: Pick<PublishedFile, 'id' | 'filename' | 'kind'>,
  bytes: Buffer,
): PublishedFile {
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex')
  contents.set(id, bytes)
  return {
    id,
    kind,
    build,
    filename,
    sizeBytes: bytes.length,
    sha1: digest('sha1'),
    sha256: digest('sha256'),
    sha512: digest('sha512'),
    objectKey: id,
    filetype: kind === 'file' ? 'zip' : null,
    createdAt: sampleDate,
  }
}

export type SampleEntry = {
  version: string
  builds: SampleBuild[]
  title?: string
  notes?: string | null
  rollout?: Partial<RolloutRules>
}

export function sampleEntry({
  version,
  builds,
  title = `Harbor ${version}`,
  notes = null,
  rollout = {},
}: SampleEntry): Entry {
  const parsed = parseVersion(version)
  if (parsed === undefined) throw new Error(version)
  const files = builds.flatMap(
    ({ filename, artifacts = {}, platform, architectures = [], ...build }, index) => {
      const own: PublishedFile[] = []
      const id = `${version} ${index}`
      const published: PublishedBuild = {
        id,
        platform,
        architectures,
        buildNumber: build.buildNumber ?? null,
        minimumOs: build.minimumOs ?? null,
        package: build.package === undefined ? null : { ...unknownPackage, ...build.package },
        isPending: false,
        files: own,
      }
      if (build.details !== undefined)
        packages.set(published, {
          debControl: null,
          rpmHeader: null,
          pacmanInfo: null,
          androidInfo: null,
          iconKey: null,
          ...build.details,
        })
      own.push(
        fileOf(
          published,
          { id: `${id} file`, filename, kind: 'file' },
          Buffer.from(`${filename} of ${version}`),
        ),
      )
      for (const [name, content] of Object.entries(artifacts))
        own.push(
          fileOf(published, { id: `${id} ${name}`, filename: name, kind: 'artifact' }, Buffer.from(content)),
        )
      return own
    },
  )
  return {
    version,
    parsed,
    sortKey: versionSortKey(parsed),
    title,
    notes,
    publishedAt: sampleDate,
    files: [
      ...files.filter(({ kind }) => kind === 'file'),
      ...files.filter(({ kind }) => kind === 'artifact'),
    ],
    rollout: { ...offeredToEveryone, ...rollout },
  }
}

const anonymous: RolloutClient = { id: undefined, cohorts: new Set() }
export const sampleUrl = 'https://builds.example.com/u/23456789ab'
export const sampleNow = new Date('2026-11-28T12:00:00Z')

/** Creates the feed of entries, given newest first, that are not in a database. */
export function sampleFeed(
  entries: Entry[],
  {
    client = anonymous,
    applicationName = 'Harbor',
  }: { client?: RolloutClient; applicationName?: string } = {},
): Feed {
  const rollouts = new Map(entries.map(({ version, rollout }) => [version, rollout]))
  const state = { id: '23456789ab', application_name: applicationName }
  const published = entries.filter(({ rollout }) => isAvailable(rollout))
  const publication = {
    state,
    entries,
    published,
    rollouts,
    memory: createMemory(),
  }
  const clock = { now: () => sampleNow }
  const feed = createFeed({ clock } as never, publication as never, { client, channelUrl: sampleUrl })
  return {
    ...feed,
    read: ({ objectKey }) => Promise.resolve(contents.get(objectKey)),
    readIcon: (key) => Promise.resolve({ contentType: 'image/png', body: Buffer.from(key) }),
    blockSums: ({ objectKey }, layout) =>
      blockSums(Readable.from([contents.get(objectKey) ?? Buffer.alloc(0)]), layout),
    describePackages: (builds) =>
      Promise.resolve(
        new Map(
          [...builds].flatMap((build) => {
            const details = packages.get(build)
            return details === undefined ? [] : [[build.id, details] as const]
          }),
        ),
      ),
    commit: (_format, change) =>
      Promise.resolve([{ ...change, number: 1, committed_at: sampleDate.toISOString() }]),
    listCommits: () => Promise.resolve([]),
  }
}

/** Returns what a path leads to. In the path of a document of an index, `*` stands for its checksum. */
export async function answerOf(
  adapter: Adapter,
  format: string,
  feed: Feed,
  request: { path: string; query?: Record<string, string> },
): Promise<Answer | undefined> {
  const documents = (await adapter.index?.listDocuments(feed)) ?? []
  const document = documents.find(({ paths }) =>
    paths.some((path) => path.replace(/[0-9a-f]{64}/, '*') === request.path),
  )
  if (document !== undefined) return document
  return adapter.answer(
    {
      path: request.path.split('/').map(decodeURIComponent),
      query: new URLSearchParams(request.query),
      base: `${sampleUrl}/${format}`,
    },
    feed,
  )
}

export function bodyOf(answer: Answer | undefined): string | undefined {
  if (answer === undefined || answer === 'no update' || 'file' in answer) return undefined
  const body = Buffer.from(answer.body)
  return (answer.contentType === 'application/gzip' ? gunzipSync(body) : body).toString()
}
