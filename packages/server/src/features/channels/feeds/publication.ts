import type { Executor } from '../../../database/transaction.ts'
import { formatVersion } from '../../../lib/semver.ts'
import type { Entry, PublishedBuild, PublishedFile, PublishedPackage } from '../adapters/adapter.ts'
import { listReadKeyHashes } from '../read-keys/channel-read-key.db.ts'
import { isAvailable, offeredToEveryone, type RolloutRules } from '../rollouts/rollout-rules.ts'
import { listRolloutRules } from '../rollouts/rollout.db.ts'
import {
  listFileRows,
  listPublishedRows,
  type ChannelSource,
  type ChannelState,
  type FileRow,
  type PublishedRow,
} from './publication.db.ts'

/** Every node must notice a stop within a second. Half of that is reserved for the query and the requests in progress. */
export const trustedMs = 400

export type PublicationKey = {
  id: string
  cohort: string | null
  expiresAt: Date | null
  isLimited: boolean
}

/** Everything that a channel publishes, in memory. */
export type Publication = {
  state: ChannelState
  /** Newest first. */
  entries: readonly Entry[]
  /** The versions that are neither stopped nor rolled back, newest first. */
  published: readonly Entry[]
  /** The versions with a rollout that is not complete, or that is stopped. */
  partial: readonly Entry[]
  rollouts: ReadonlyMap<string, RolloutRules>
  /** The read keys by their hashes in hexadecimal. */
  keys: ReadonlyMap<string, PublicationKey>
}

/** Returns the newest version that a channel publishes now; undefined if it publishes none. */
export async function findNewestEntry(
  db: Executor,
  channel: ChannelSource & { id: string },
): Promise<Entry | undefined> {
  const [rows, rollouts] = await Promise.all([
    listPublishedRows(db, channel),
    listRolloutRules(db, channel.id),
  ])
  const [newest] = rows
  if (newest === undefined) return undefined
  const version = formatVersion(newest)
  const ofVersion = rows.filter((row) => formatVersion(row) === version)
  const [entry] = entriesOf(ofVersion, await listFilesOf(db, ofVersion), rollouts)
  return entry
}

export async function loadPublication(db: Executor, state: ChannelState): Promise<Publication> {
  const rows = await listPublishedRows(db, state)
  const [files, rollouts, keys] = await Promise.all([
    listFilesOf(db, rows),
    listRolloutRules(db, state.id),
    listReadKeyHashes(db, state.id),
  ])
  const entries = entriesOf(rows, files, rollouts)
  return {
    state,
    entries,
    published: entries.filter(({ rollout }) => isAvailable(rollout)),
    partial: entries.filter(({ rollout }) => !isComplete(rollout)),
    rollouts,
    keys: new Map(
      keys.map((key) => [
        key.key_sha256.toString('hex'),
        {
          id: key.id,
          cohort: key.cohort,
          expiresAt: key.expires_at === null ? null : new Date(key.expires_at),
          isLimited: key.max_downloads !== null,
        },
      ]),
    ),
  }
}

const listFilesOf = async (db: Executor, rows: readonly PublishedRow[]): Promise<FileRow[]> =>
  rows.length === 0 ? [] : listFileRows(db, [...new Set(rows.map(({ id }) => id))])

const isComplete = ({ state, percentage, completeAtMs }: RolloutRules): boolean =>
  state === 'active' && percentage >= 100 && completeAtMs === null

/** Groups the builds by version. Of several releases with a version, the one that was published last counts. */
function entriesOf(
  rows: readonly PublishedRow[],
  files: readonly FileRow[],
  rules: ReadonlyMap<string, RolloutRules>,
): Entry[] {
  const filesByBuild = Map.groupBy(files, ({ build_id }) => build_id)
  const byVersion = Map.groupBy(rows, formatVersion)
  return [...byVersion].map(([version, group]) => {
    const [first] = group
    if (first === undefined) throw new Error('a group always has a row')
    const builds = group.filter(({ release_id }) => release_id === first.release_id)
    const { major, minor, patch, extra, meta } = first
    return {
      version,
      parsed: { major, minor, patch, extra, meta },
      sortKey: first.sort_key,
      title: first.title ?? version,
      notes: builds.find(({ notes }) => notes !== null && notes.trim() !== '')?.notes ?? null,
      publishedAt: new Date(first.published_at),
      files: byKind(builds.flatMap((row) => filesOf(row, filesByBuild.get(row.id) ?? []))),
      rollout: rules.get(version) ?? offeredToEveryone,
    }
  })
}

function filesOf(row: PublishedRow, rows: readonly FileRow[]): PublishedFile[] {
  const files: PublishedFile[] = []
  const build: PublishedBuild = {
    id: row.id,
    platform: row.platform,
    architectures: row.architectures,
    buildNumber: row.build_number,
    minimumOs: row.minimum_os,
    package: packageOf(row),
    isPending: row.processing === 'queued' || row.processing === 'waiting',
    files,
  }
  for (const file of rows)
    files.push({
      id: file.id,
      kind: file.kind,
      build,
      filename: file.filename,
      sizeBytes: file.size_bytes,
      sha1: file.checksum_sha1,
      sha256: file.checksum_sha256,
      sha512: file.checksum_sha512,
      objectKey: file.object_key,
      filetype: file.filetype,
      createdAt: new Date(file.created_at),
    })
  return files
}

const packageOf = (row: PublishedRow): PublishedPackage | null =>
  row.package_format === null
    ? null
    : {
        format: row.package_format,
        name: row.package_name,
        version: row.package_version,
        publisher: row.package_publisher,
        bundleId: row.bundle_id,
        dependencies: row.package_dependencies ?? [],
      }

const byKind = (files: readonly PublishedFile[]): PublishedFile[] => [
  ...files.filter(({ kind }) => kind === 'file'),
  ...files.filter(({ kind }) => kind === 'artifact'),
]
