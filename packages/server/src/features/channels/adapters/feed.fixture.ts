import { createHash } from 'node:crypto'
import { parseVersion, versionSortKey } from '../../../lib/semver.ts'
import { createFeed } from '../feeds/feed.ts'
import { createKeptObjects, createMemory } from '../feeds/memory.ts'
import { offeredTimes } from '../rollouts/rollout-history.ts'
import { isAvailable, offeredToEveryone, type RolloutClient, type RolloutRules } from '../rollouts/rollout.ts'
import type {
  Adapter,
  Answer,
  Entry,
  Feed,
  PublishedBuild,
  PublishedFile,
  PublishedPackage,
} from './adapter.ts'

/** A build of the test version, with its primary file and the metadata artifacts that belong to it. */
export type SampleBuild = {
  platform: string
  architectures?: string[]
  buildNumber?: string
  minimumOs?: string
  package?: Partial<PublishedPackage>
  filename: string
  artifacts?: Record<string, string | Buffer>
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
        isReleased: false,
        goneAt: null,
        files: own,
      }
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
    objects: createKeptObjects(),
  }
  const clock = { now: () => sampleNow }
  const feed = createFeed({ clock } as never, publication as never, { client, channelUrl: sampleUrl })
  return {
    ...feed,
    read: ({ objectKey }) => Promise.resolve(contents.get(objectKey)),
    history: () =>
      Promise.resolve(
        entries.map((entry) => ({
          ...entry,
          offered: offeredTimes([
            { ...entry.rollout, version: entry.version, atMs: entry.rollout.changedAtMs },
          ]),
        })),
      ),
  }
}

export const answerOf = async (
  adapter: Adapter,
  format: string,
  feed: Feed,
  request: { path: string; query?: Record<string, string> },
): Promise<Answer | undefined> =>
  adapter.answer(
    {
      path: request.path.split('/').map(decodeURIComponent),
      query: new URLSearchParams(request.query),
      base: `${sampleUrl}/${format}`,
    },
    feed,
  )

export const bodyOf = (answer: Answer | undefined): string | undefined =>
  answer === undefined || answer === 'no update' || 'file' in answer ? undefined : answer.body.toString()
