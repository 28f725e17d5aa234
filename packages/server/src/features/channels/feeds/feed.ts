import type { Deps } from '../../../deps.ts'
import { findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import type { Entry, Feed, PublishedFile } from '../adapters/adapter.ts'
import {
  isAvailable,
  isOfferedTo,
  percentageAt,
  reachableFrom,
  type RolloutClient,
} from '../rollouts/rollout.ts'
import { isSemverAbove } from '../rollouts/version-order.ts'
import type { LivePublication } from './publications.ts'

/** The size of the largest companion file that is read. */
const maxFileBytes = 1024 * 1024

/** Creates what one client may see of a publication. */
export function createFeed(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  publication: LivePublication,
  { client, channelUrl }: { client: RolloutClient; channelUrl: string },
): Feed {
  const { state, entries, rollouts } = publication
  const nowMs = deps.clock.now().getTime()
  const published = entries.filter(({ rollout }) => isAvailable(rollout))
  const isOffered = (entry: Entry) =>
    isOfferedTo(entry.rollout, `${state.id}:${entry.version}`, client, nowMs)
  const offers = (current?: string) => reachableFrom(published, current, isOffered)
  return {
    applicationName: state.application_name,
    channelUrl,
    published,
    all: entries,
    offers,
    isNewer: ({ sortKey }, current) => isSemverAbove(sortKey, current),
    findRollback: (current) =>
      rollouts.get(current.replace(/^v/, ''))?.state === 'rolled_back'
        ? offers().find(({ sortKey }) => !isSemverAbove(sortKey, current))
        : undefined,
    percentage: ({ rollout }) => percentageAt(rollout, nowMs),
    read: (file) => readFile(deps, publication, file),
  }
}

function readFile(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  { documents }: Pick<LivePublication, 'documents'>,
  { objectKey, sizeBytes }: PublishedFile,
): Promise<Buffer | undefined> {
  if (sizeBytes > maxFileBytes) return Promise.resolve(undefined)
  return documents.readFile(objectKey, async () => {
    const object = await findStoredObject(db, objectKey)
    if (object === undefined) return undefined
    const chunks: Uint8Array[] = []
    for await (const chunk of storage.read(object)) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  })
}

/**
 * Returns a text that is the same for clients with the same offers at this time. Only versions whose rollout is not
 * complete can differ.
 */
export function offersKey({ partial }: Pick<LivePublication, 'partial'>, feed: Feed): string {
  if (partial.length === 0) return ''
  const offered = new Set(feed.offers())
  return partial
    .map((entry) => `${offered.has(entry) ? 1 : 0}${Math.floor(feed.percentage(entry))}`)
    .join(' ')
}
