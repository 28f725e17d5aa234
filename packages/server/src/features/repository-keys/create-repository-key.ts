import { readOpenPgpKey, type UnusableKey } from '../../crypto/openpgp-key.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireLockedWorkspace } from '../workspace/workspace.db.ts'
import {
  generateRepositoryKey,
  insertRepositoryKey,
  listRepositoryKeyRows,
  retireCurrentKey,
} from './repository-key.db.ts'
import {
  keyKnown,
  keyNotUsable,
  maxRepositoryKeys,
  NewRepositoryKey,
  RepositoryKey,
  repositoryKeyAuditSnapshot,
  repositoryKeyResource,
  tooManyRepositoryKeys,
} from './repository-key.ts'

const defaultOverlapDays = 90

const reasons: Record<UnusableKey, string> = {
  'not a private key': 'is not an armored OpenPGP private key',
  'has a passphrase': 'has a passphrase',
  expires: 'has an expiration time',
  'cannot sign': 'cannot sign',
}

export const createRepositoryKey = endpoint({
  method: 'POST',
  path: '/workspace/repository-keys',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a repository key',
  description:
    'Replaces the key with which the indexes of package repositories are signed, with a new one or with a key of the team. Indexes are also signed with the previous key for some time.',
  body: NewRepositoryKey,
  status: 201,
  refuses: [keyKnown, keyNotUsable, tooManyRepositoryKeys],
  returns: one(RepositoryKey),
  async prepare({ body, clock, actor }) {
    const now = clock.now()
    if (body.private_key === undefined) return { key: await generateRepositoryKey(actor.workspaceId, now) }
    const key = await readOpenPgpKey(body.private_key, now)
    if (typeof key === 'string') {
      const reason = reasons[key]
      throw keyNotUsable({ reason }, { errors: { private_key: [`The key ${reason}.`] } })
    }
    return { key }
  },
  async handle({ body, key, ...call }) {
    const { workspaceId } = call.actor
    const row = await inTransaction(call.db, async (tx) => {
      await requireLockedWorkspace(tx, workspaceId)
      const keys = await listRepositoryKeyRows(tx, workspaceId)
      if (keys.some(({ fingerprint }) => fingerprint === key.fingerprint)) throw keyKnown()
      const overlapDays = body.overlap_days ?? defaultOverlapDays
      if (overlapDays > 0 && keys.length >= maxRepositoryKeys)
        throw tooManyRepositoryKeys({ max: maxRepositoryKeys })
      await retireCurrentKey(tx, workspaceId, overlapDays)
      const isImported = body.private_key !== undefined
      const inserted = await insertRepositoryKey(tx, call.secretBox, workspaceId, { key, isImported })
      await recordEvent(tx, call, {
        action: 'repository_key.created',
        applicationId: null,
        subject: { type: 'repository_key', id: inserted.id },
        after: repositoryKeyAuditSnapshot(inserted),
      })
      return inserted
    })
    return { message: 'Repository key created.', data: repositoryKeyResource(row) }
  },
})
