import type { Deps } from '../../../deps.ts'
import { shortIdPattern } from '../../../lib/ids.ts'
import { listCountedVersions } from '../adoption/adoption.db.ts'
import { listDeparted, type Departed } from './departed.ts'
import { createCompanionFiles, createDocuments, type CompanionFiles, type Documents } from './documents.ts'
import { createMemory, type Memory } from './memory.ts'
import { createPublicResponses, type PublicResponses } from './public-responses.ts'
import { findChannelState, type ChannelState } from './publication.db.ts'
import { loadPublication, trustedMs, type Publication } from './publication.ts'
import { createRepositoryIndexes, type RepositoryIndexes } from './repository-index.ts'

const maxCachedChannels = 1_000
const isId = new RegExp(shortIdPattern)

export type LivePublication = Publication & {
  documents: Documents
  files: CompanionFiles
  indexes: RepositoryIndexes
  memory: Memory
  /** The versions that the channel publishes or has published, whose clients are counted by version. */
  knownVersions: ReadonlySet<string>
  departed: readonly Departed[]
  /** The responses that every client gets, by the URL of the request. */
  responses: PublicResponses
}

type Cached = {
  publication: LivePublication | undefined
  trustedUntilMs: number
  checking: Promise<LivePublication | undefined> | undefined
}

/**
 * Creates the publications of this process. They are served from memory, and compared with the database at most every
 * 400 ms, by one query for all concurrent requests. Nodes therefore need not notify each other.
 */
export function createPublications({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const cached = new Map<string, Cached>()

  async function check(
    id: string,
    before: LivePublication | undefined,
  ): Promise<LivePublication | undefined> {
    const state = await findChannelState(db, id, before?.state.position ?? null)
    if (state === undefined) return undefined
    if (before !== undefined && isSame(before.state, state)) return before
    // The position is that of the first read, so that a change made while the rest is read is noticed next time.
    const start = await findChannelState(db, id, state.position)
    if (start === undefined) return undefined
    const loaded = await loadPublication(db, { ...start, position: state.position })
    const departed = before === undefined ? [] : listDeparted(before, loaded, clock.monotonicMs())
    return {
      ...loaded,
      departed,
      responses: createPublicResponses(),
      documents: createDocuments(),
      files: before?.files ?? createCompanionFiles(),
      indexes: createRepositoryIndexes(),
      memory: createMemory(),
      knownVersions: withPublished(
        loaded,
        before?.knownVersions ?? new Set(await listCountedVersions(db, id)),
      ),
    }
  }

  async function refresh(id: string, entry: Cached, startedMs: number): Promise<LivePublication | undefined> {
    try {
      const publication = await check(id, entry.publication)
      entry.publication = publication
      entry.trustedUntilMs = startedMs + trustedMs
      if (publication === undefined) cached.delete(id)
      return publication
    } catch (error) {
      // A channel that has never been read is not kept, so that unknown IDs take no memory.
      if (entry.publication === undefined) cached.delete(id)
      throw error
    } finally {
      entry.checking = undefined
    }
  }

  function entryOf(id: string): Cached {
    const known = cached.get(id)
    if (known !== undefined) return known
    const [oldest] = cached.keys()
    if (cached.size >= maxCachedChannels && oldest !== undefined) cached.delete(oldest)
    const entry: Cached = { publication: undefined, trustedUntilMs: -Infinity, checking: undefined }
    cached.set(id, entry)
    return entry
  }

  return {
    /** Returns what a channel publishes if it is in memory and current. */
    peek(id: string): LivePublication | undefined {
      const entry = cached.get(id)
      return entry !== undefined && clock.monotonicMs() < entry.trustedUntilMs ? entry.publication : undefined
    },
    /**
     * Returns what a channel publishes at the time of the call, or undefined if the channel does not exist. Another node may
     * have sent a client a version that this node has not noticed yet.
     */
    async findNow(id: string): Promise<LivePublication | undefined> {
      const entry = entryOf(id)
      // A check in progress may have begun before the change.
      await entry.checking
      entry.checking ??= refresh(id, entry, clock.monotonicMs())
      return entry.checking
    },
    /** Returns what a channel publishes, or undefined if the channel does not exist. */
    async find(id: string): Promise<LivePublication | undefined> {
      if (!isId.test(id)) return undefined
      const entry = entryOf(id)
      // The monotonic clock, because setting the wall clock back would extend the time.
      const nowMs = clock.monotonicMs()
      if (entry.publication !== undefined && nowMs < entry.trustedUntilMs) return entry.publication
      entry.checking ??= refresh(id, entry, nowMs)
      return entry.checking
    },
  }
}

const maxKnownVersions = 1_000

/** Adds the versions of a publication to those that were known before. The newest ones are kept. */
const withPublished = ({ entries }: Publication, before: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...new Set(entries.map(({ version }) => version)), ...before].slice(0, maxKnownVersions))

const isSame = (before: ChannelState, now: ChannelState): boolean =>
  before.revision === now.revision &&
  before.change_count === now.change_count &&
  before.change_sum === now.change_sum &&
  before.application_name === now.application_name
