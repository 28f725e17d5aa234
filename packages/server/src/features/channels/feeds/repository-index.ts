import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { signWithCertificate } from '../../../crypto/certificate-key.ts'
import { exportKeyring, signCleartext, signDetached } from '../../../crypto/openpgp-key.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import {
  ensureRepositoryKeys,
  listRepositoryKeyIds,
  type SigningKey,
} from '../../repository-keys/repository-key.db.ts'
import type { Feed, IndexDocument, IndexSigner, RepositoryIndex } from '../adapters/adapter.ts'
import type { RolloutClient } from '../rollouts/rollout-rules.ts'
import { documentOf, type FeedDocument, type FeedRedirect } from './documents.ts'
import type { ClientFeed } from './feed.ts'
import { trustedMs, type Publication } from './publication.ts'
import {
  dropOldIndexes,
  findCurrentIndex,
  findDocument,
  listDocuments,
  lockIndexes,
  readIndexTime,
  replaceIndex,
  type IndexKey,
} from './repository-index.db.ts'

const validDays = 10
const renewedAfterHours = 24
/** How long the documents of a replaced index remain available. */
const keptHours = 6
const unreadHours = 72

type IndexDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'>

type Repository = {
  state: Publication['state']
  partial: Publication['partial']
  format: string
  index: RepositoryIndex
  /** What everyone with the same cohorts may see. */
  feed: ClientFeed
  audience: string
}

type LoadedIndex = { id: string; documents: ReadonlyMap<string, FeedDocument | FeedRedirect> }

const checksum = /[0-9a-f]{64}/

type Cached = {
  /** The documents that describe packages, with their digest. They depend only on the publication. */
  content: Promise<{ documents: IndexDocument[]; digest: Buffer }> | undefined
  loaded: LoadedIndex | undefined
  trustedUntilMs: number
  checking: Promise<LoadedIndex | undefined> | undefined
}

export type RepositoryIndexes = ReturnType<typeof createRepositoryIndexes>

/** Creates the indexes of a publication in this process, which are dropped with it. */
export function createRepositoryIndexes() {
  const cached = new Map<string, Cached>()

  async function refresh(
    deps: IndexDeps,
    repository: Repository,
    entry: Cached,
  ): Promise<LoadedIndex | undefined> {
    const startedMs = deps.clock.monotonicMs()
    try {
      entry.content ??= describeContent(repository)
      const content = await entry.content
      const id = await ensureIndex(deps, repository, content)
      if (id === undefined) return undefined
      if (entry.loaded?.id !== id)
        entry.loaded = { id, documents: byPath(await listDocuments(deps.db, id), repository.index) }
      entry.trustedUntilMs = startedMs + trustedMs
      return entry.loaded
    } catch (error) {
      entry.content = undefined
      throw error
    } finally {
      entry.checking = undefined
    }
  }

  return {
    /** Returns a document of the index, or of a previous one if its path contains its checksum. */
    async find(
      deps: IndexDeps,
      repository: Repository,
      requested: string,
    ): Promise<FeedDocument | FeedRedirect | undefined> {
      const path = repository.index.nameDocument?.(requested) ?? requested
      const key = `${repository.format} ${repository.audience} ${countOffered(repository)}`
      let entry = cached.get(key)
      if (entry === undefined) {
        entry = { content: undefined, loaded: undefined, trustedUntilMs: -Infinity, checking: undefined }
        cached.set(key, entry)
      }
      const isTrusted = entry.loaded !== undefined && deps.clock.monotonicMs() < entry.trustedUntilMs
      if (!isTrusted) entry.checking ??= refresh(deps, repository, entry)
      const loaded = isTrusted ? entry.loaded : await entry.checking
      const found = loaded?.documents.get(path)
      if (found !== undefined || !checksum.test(path)) return found
      const { state, format } = repository
      const previous = await findDocument(deps.db, { channelId: state.id, format, path })
      return previous && documentOf(previous)
    },
  }
}

/** A rollout that grows over time is complete at some time without a change of the publication. */
const countOffered = ({ partial, feed }: Repository): number => partial.filter(feed.isOffered).length

function byPath(
  documents: readonly IndexDocument[],
  { redirectsToChecksum = false }: RepositoryIndex,
): Map<string, FeedDocument | FeedRedirect> {
  return new Map(
    documents.flatMap((document) => {
      const served = documentOf(document)
      const lasting = redirectsToChecksum ? document.paths.find((path) => checksum.test(path)) : undefined
      const found = lasting === undefined ? served : { redirect: posix.basename(lasting) }
      return document.paths.map((path) => [path, path === lasting ? served : found] as const)
    }),
  )
}

async function describeContent({ index, feed }: Repository) {
  const documents = await index.listDocuments(feed)
  const hash = createHash('sha256')
  for (const { paths, body } of documents) hash.update(JSON.stringify([paths, body.length])).update(body)
  return { documents, digest: hash.digest() }
}

const withKeys = (digest: Buffer, keyIds: readonly string[]): Buffer =>
  createHash('sha256').update(digest).update(JSON.stringify(keyIds)).digest()

/**
 * Returns the ID of the current index, and creates it if the content or the keys have changed or it is due. A node that
 * has not noticed a change yet may bring an older index back; the others replace it within a second.
 */
async function ensureIndex(
  deps: IndexDeps,
  { state, format, audience, index, feed }: Repository,
  content: { documents: IndexDocument[]; digest: Buffer },
): Promise<string | undefined> {
  const key: IndexKey = { channelId: state.id, format, audience }
  const keyIds = await listRepositoryKeyIds(deps.db, state.workspace_id, index.signedBy)
  const known = await findCurrentIndex(deps.db, key, { renewedAfterHours })
  if (known !== undefined && !known.is_due && known.digest.equals(withKeys(content.digest, keyIds)))
    return known.id
  const keys = await ensureRepositoryKeys(deps, state.workspace_id, index.signedBy)
  const digest = withKeys(
    content.digest,
    keys.map(({ id }) => id),
  )
  const sign = await createSigning(index, keys)
  return inTransaction(deps.db, async (tx) => {
    if (!(await lockIndexes(tx, key))) return undefined
    const current = await findCurrentIndex(tx, key, { renewedAfterHours })
    if (current !== undefined && !current.is_due && current.digest.equals(digest)) return current.id
    const date = await readIndexTime(tx, current?.created_at, index.signedBy)
    const signed = await sign(content.documents, date, feed)
    const paths = new Set(signed.flatMap((document) => document.paths))
    const others = content.documents.filter((document) => !document.paths.some((path) => paths.has(path)))
    const documents = [...others, ...signed]
    const id = await replaceIndex(tx, key, { digest, date, documents })
    await dropOldIndexes(tx, state.id, { keptHours, unreadHours })
    return id
  })
}

type Sign = (documents: readonly IndexDocument[], date: Date, feed: Feed) => Promise<IndexDocument[]>

/** Returns a function that signs the documents of an index and returns what to add to them. */
async function createSigning(index: RepositoryIndex, keys: readonly SigningKey[]): Promise<Sign> {
  const [current] = keys
  if (index.signedBy === 'x509') {
    if (current === undefined) throw new Error('a workspace always has a key that was ensured')
    const signatureBlock = (bytes: Buffer) => signWithCertificate(bytes, current)
    return (documents, date, feed) => index.sign(documents, { ...timesOf(date), signatureBlock }, feed)
  }
  const keyring = await exportKeyring(keys)
  return async (documents, date, feed) => {
    const signer: IndexSigner = {
      ...timesOf(date),
      keyring,
      cleartext: (text) => signCleartext(text, keys, date),
      detached: (bytes, which) => signDetached(bytes, which === 'oldest key' ? keys.slice(-1) : keys, date),
    }
    return [...(await index.sign(documents, signer, feed)), ...keyDocuments(signer)]
  }
}

const timesOf = (date: Date) => ({
  date,
  validUntil: new Date(date.getTime() + validDays * 24 * 60 * 60 * 1000),
})

/** Returns the documents with the certificates that users add. */
export const keyDocuments = ({ keyring }: Pick<IndexSigner, 'keyring'>): IndexDocument[] => [
  { paths: ['key.asc'], contentType: 'application/pgp-keys', body: Buffer.from(keyring.armored) },
  { paths: ['key.gpg'], contentType: 'application/octet-stream', body: keyring.binary },
]

/**
 * Returns the client as repositories see it: package managers send no ID, and each combination of cohorts that a rollout
 * names has an index of its own.
 */
export function audienceOf(
  { partial }: Pick<Publication, 'partial'>,
  { cohorts }: RolloutClient,
): { audience: string; client: RolloutClient } {
  const named = new Set(partial.flatMap(({ rollout }) => rollout.cohorts))
  const own = [...cohorts].filter((cohort) => named.has(cohort)).toSorted()
  return {
    audience: own.length === 0 ? '' : JSON.stringify(own),
    client: { id: undefined, cohorts: new Set(own) },
  }
}
