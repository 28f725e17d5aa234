import type { Deps } from '../../../deps.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { findStoredIcon, findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import type { Entry, Feed, PublishedFile } from '../adapters/adapter.ts'
import { commitFiles } from '../git/commit-files.ts'
import { listCommits } from '../git/repository-commit.db.ts'
import { isOfferedTo, percentageAt, reachableFrom, type RolloutClient } from '../rollouts/rollout-rules.ts'
import { isSemverAbove } from '../rollouts/version-order.ts'
import { findBlockSums, saveBlockSums } from '../zsync/block-sums.db.ts'
import { blockSums } from '../zsync/control-file.ts'
import type { CompanionFiles } from './documents.ts'
import type { Memory } from './memory.ts'
import { listPackageDetails } from './publication.db.ts'
import type { Publication } from './publication.ts'

/** The size of the largest companion file that is read. */
const maxFileBytes = 1024 * 1024

export type ClientFeed = Feed & { isOffered(entry: Entry): boolean }

/** Creates what one client may see of a publication. */
export function createFeed(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  publication: Publication & { files: CompanionFiles; memory: Memory },
  { client, channelUrl }: { client: RolloutClient; channelUrl: string },
): ClientFeed {
  const { state, entries, published, rollouts, files, memory } = publication
  const nowMs = deps.clock.now().getTime()
  const isOffered = (entry: Entry) =>
    isOfferedTo(entry.rollout, `${state.id}:${entry.version}`, client, nowMs)
  const offers = (current?: string) => reachableFrom(published, current, isOffered)
  return {
    channelId: state.id,
    applicationName: state.application_name,
    channelUrl,
    published,
    all: entries,
    isOffered,
    offers,
    isNewer: ({ sortKey }, current) => isSemverAbove(sortKey, current),
    findRollback: (current) =>
      rollouts.get(current.replace(/^v/, ''))?.state === 'rolled_back'
        ? offers().find(({ sortKey }) => !isSemverAbove(sortKey, current))
        : undefined,
    percentage: ({ rollout }) => percentageAt(rollout, nowMs),
    read: (file) => readCompanionFile(deps, files, file),
    readIcon: async (key) => {
      const icon = await findStoredIcon(deps.db, key)
      return icon && { contentType: icon.contentType, body: await readAll(deps, icon.object) }
    },
    blockSums: (file, layout) =>
      memory.remember(`blocks ${file.id}`, async () => {
        const known = await findBlockSums(deps.db, file.id)
        const object = known === undefined ? await findStoredObject(deps.db, file.objectKey) : undefined
        if (object === undefined) return known
        const sums = await blockSums(deps.storage.read(object), layout)
        await saveBlockSums(deps.db, file.id, sums)
        return sums
      }),
    describePackages: (builds) => listPackageDetails(deps.db, builds),
    everyone: () => published.filter(({ rollout }) => percentageAt(rollout, nowMs) >= 100),
    commit: (format, change) => commitFiles(deps.db, { channelId: state.id, format }, change),
    listCommits: (format, afterNumber) => listCommits(deps.db, { channelId: state.id, format }, afterNumber),
    remember: memory.remember,
  }
}

/** Reads a small file, such as a signature. Returns undefined if it is larger than 1 MiB. */
export function readCompanionFile(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  files: CompanionFiles,
  { objectKey, sizeBytes }: PublishedFile,
): Promise<Buffer | undefined> {
  if (sizeBytes > maxFileBytes) return Promise.resolve(undefined)
  return files.find(objectKey, async () => {
    const object = await findStoredObject(db, objectKey)
    return object && readAll({ storage }, object)
  })
}

async function readAll({ storage }: Pick<Deps, 'storage'>, object: SealedObject): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of storage.read(object)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/**
 * Returns a text that is the same for clients with the same offers at this time. Only versions whose rollout is not
 * complete can differ.
 */
export const offersKey = (
  { partial }: Pick<Publication, 'partial'>,
  { isOffered, percentage }: ClientFeed,
): string => partial.map((entry) => `${isOffered(entry) ? 1 : 0}${Math.floor(percentage(entry))}`).join(' ')
