import { hash } from 'node:crypto'
import { exportKeyring, signCleartext } from '../../../crypto/openpgp-key.ts'
import type { Deps } from '../../../deps.ts'
import { ensureRepositoryKeys, type SigningKey } from '../../repository-keys/repository-key.db.ts'
import type { Adapter } from '../adapters/adapter.ts'
import { documentOf, type FeedDocument, type FeedResult } from './documents.ts'
import type { LivePublication } from './publications.ts'
import { keyDocuments } from './repository-index.ts'

const hourMs = 60 * 60 * 1000
const validMs = 10 * 24 * hourMs
/** How long a node signs with the keys that it has read, while an earlier key is still accepted. */
const trustedMs = 10_000
const ending = '.asc'

/** Returns the path of the document whose signed form is requested; undefined if none is. */
export function unsignedPath(path: readonly string[], { isSigned, paths }: Adapter): string[] | undefined {
  const [name = ''] = path
  const unsigned = name.slice(0, -ending.length)
  const isDocument = path.length === 1 && name.endsWith(ending) && paths.includes(unsigned)
  return isSigned === true && isDocument ? [unsigned] : undefined
}

export type DocumentSigner = ReturnType<typeof createDocumentSigner>

/**
 * Signs documents with the repository keys of the workspace, in the cleartext signature framework of OpenPGP, so that a
 * client needs one request. All workspaces share a process, and a key is in memory for seconds.
 */
export function createDocumentSigner(deps: Pick<Deps, 'db' | 'secretBox' | 'clock'>) {
  const known = new Map<string, { keys: Promise<SigningKey[]>; untilMs: number }>()

  function keysOf(workspaceId: string): Promise<SigningKey[]> {
    const nowMs = deps.clock.monotonicMs()
    for (const [id, { untilMs }] of known) if (untilMs <= nowMs) known.delete(id)
    const found = known.get(workspaceId)
    if (found !== undefined) return found.keys
    const keys = ensureRepositoryKeys(deps, workspaceId, 'openpgp')
    known.set(workspaceId, { keys, untilMs: nowMs + trustedMs })
    keys.catch(() => known.delete(workspaceId))
    return keys
  }

  return {
    /** Returns the certificates with which clients verify the documents. */
    async findKeyring(workspaceId: string, path: readonly string[]): Promise<FeedDocument | undefined> {
      if (path.length !== 1 || !['key.asc', 'key.gpg'].includes(path[0] ?? '')) return undefined
      const keyring = await exportKeyring(await keysOf(workspaceId))
      const found = keyDocuments({ keyring }).find(({ paths }) => paths.includes(path[0] ?? ''))
      return found && documentOf(found)
    },
    /** Signs a document, with the channel to which it belongs and the time until which it is valid. */
    async sign(
      { state, documents }: Pick<LivePublication, 'state' | 'documents'>,
      document: FeedDocument,
    ): Promise<FeedResult> {
      const keys = await keysOf(state.workspace_id)
      // The same on every node, and not before the creation of the first key, which is backdated by an hour.
      const hour = Math.floor(deps.clock.now().getTime() / hourMs) * hourMs
      const tag = hash('sha256', JSON.stringify([document.etag, hour, keys.map(({ id }) => id)]))
      return documents.find(`signed ${tag}`, async () => {
        const valid_until = new Date(hour + validMs).toISOString()
        const content = JSON.parse(document.body.toString()) as object
        const text = JSON.stringify({ channel_id: state.id, valid_until, ...content })
        const body = await signCleartext(text, keys, new Date(hour))
        // Signatures contain random bytes, but those of all nodes are equally valid.
        return { ...documentOf({ contentType: 'text/plain; charset=utf-8', body }), etag: `"${tag}"` }
      })
    },
  }
}
