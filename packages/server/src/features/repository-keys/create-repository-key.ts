import { readCertificateKey, type UnusableCertificateKey } from '../../crypto/certificate-key.ts'
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
  type KeyKind,
  certificateNotUsable,
  keyKnown,
  keyNotUsable,
  maxRepositoryKeys,
  NewRepositoryKey,
  noOverlap,
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

const certificateReasons: Record<UnusableCertificateKey, string> = {
  'not a private key': 'it contains no private key in PEM format',
  'has a passphrase': 'the private key has a passphrase',
  'not RSA': 'it is not an RSA key of at least 2,048 bits',
  'no certificate': 'it contains no certificate of the private key',
  expired: 'the certificate has expired',
}

/** Reads the key of a team. Throws a problem that says why it cannot sign indexes. */
async function readKey(kind: KeyKind, text: string, now: Date) {
  if (kind === 'openpgp') {
    const key = await readOpenPgpKey(text, now)
    if (typeof key !== 'string') return key
    const reason = reasons[key]
    throw keyNotUsable({ reason }, { errors: { private_key: [`The key ${reason}.`] } })
  }
  const key = readCertificateKey(text, now)
  if (typeof key !== 'string') return key
  const reason = certificateReasons[key]
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
  throw certificateNotUsable({ reason }, { errors: { private_key: [sentence] } })
}

export const createRepositoryKey = endpoint({
  method: 'POST',
  path: '/workspace/repository-keys',
  scope: { workspace: 'workspace:write' },
  summary: 'Create a repository key',
  description:
    'Replaces the key with which the indexes of package repositories are signed, with a new one or with a key of the team. Indexes are also signed with the previous OpenPGP key for some time.',
  body: NewRepositoryKey,
  status: 201,
  refuses: [certificateNotUsable, keyKnown, keyNotUsable, noOverlap, tooManyRepositoryKeys],
  returns: one(RepositoryKey),
  async prepare({ body, clock, actor }) {
    const now = clock.now()
    const { kind = 'openpgp', private_key: text, overlap_days: overlapDays = 0 } = body
    if (kind === 'x509' && overlapDays > 0)
      throw noOverlap({ errors: { overlap_days: ['F-Droid accepts one signature only.'] } })
    const key =
      text === undefined
        ? await generateRepositoryKey(kind, actor.workspaceId, now)
        : await readKey(kind, text, now)
    return { kind, key }
  },
  async handle({ body, kind, key, ...call }) {
    const { workspaceId } = call.actor
    const row = await inTransaction(call.db, async (tx) => {
      await requireLockedWorkspace(tx, workspaceId)
      const keys = await listRepositoryKeyRows(tx, workspaceId)
      if (keys.some(({ fingerprint }) => fingerprint === key.fingerprint)) throw keyKnown()
      const overlapDays = kind === 'x509' ? 0 : (body.overlap_days ?? defaultOverlapDays)
      if (overlapDays > 0 && keys.length >= maxRepositoryKeys)
        throw tooManyRepositoryKeys({ max: maxRepositoryKeys })
      await retireCurrentKey(tx, workspaceId, { kind, overlapDays })
      const isImported = body.private_key !== undefined
      const inserted = await insertRepositoryKey(tx, call.secretBox, workspaceId, { kind, key, isImported })
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
