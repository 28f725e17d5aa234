import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { lostSecret, weaknessOf } from '../config/setting-reader.ts'
import { createSecretBox, type SecretBox } from '../crypto/secret-box.ts'
import {
  claimSecretVerifier,
  findSecretVerifier,
  replaceSecretVerifier,
} from '../database/master-secret.db.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import { recordLostSecondFactors } from '../features/members/workspace-member.db.ts'
import {
  deleteUnreadableRepositoryKeys,
  resealRepositoryKeys,
} from '../features/repository-keys/repository-key.db.ts'
import { resealWebhookSecrets } from '../features/webhooks/webhook-secret.db.ts'
import { resealResponses } from '../http/idempotency/idempotency.db.ts'
import { signInSecret } from '../http/wire/session-cookie.ts'
import { writePrivateFile } from '../lib/durable-file.ts'
import { isErrno, problem } from '../lib/problem.ts'
import { deleteUnreadableTwoFactors, resealTwoFactors } from '../sign-in/two-factor.db.ts'
import { resealStoreCredentials } from '../storage/custom/custom-store.db.ts'

type Secrets = { secret: string; previousSecret: string | undefined; secretBox: SecretBox }

type Options = {
  db: Db
  dataDir: string
  config: Pick<Config, 'secret' | 'secretPrevious'>
  log: Pick<Logger, 'info' | 'warn'>
}

/**
 * Returns the master secret. If none is configured, uses the one in the data folder, which the first start creates.
 * Throws if the secret does not match the database. If QUAYSIDE_SECRET_PREVIOUS contains the previous secret,
 * re-encrypts the values that were encrypted with it.
 */
export async function prepareMasterSecret({ db, dataDir, config, log }: Options): Promise<Secrets> {
  const isLost = config.secretPrevious === lostSecret
  const previousSecret = isLost ? undefined : config.secretPrevious
  const stored = await findSecretVerifier(db)
  const canReplace =
    isLost ||
    stored === undefined ||
    (previousSecret !== undefined && verifierOf(createSecretBox(previousSecret)) === stored)
  const secret = config.secret ?? (await readSecretFile(dataDir, { canCreate: canReplace }))
  const secretBox = createSecretBox(secret, previousSecret)
  const verifier = verifierOf(secretBox)
  await inTransaction(db, async (tx) => {
    const known = await claimSecretVerifier(tx, verifier)
    if (known === verifier) return
    if (!isLost && !secretBox.isToken(known, ...verified)) throw otherSecret()
    await replaceSecretVerifier(tx, verifier)
    log.warn({}, 'the master secret has changed')
  })
  if (isLost) {
    const lost = await inTransaction(db, async (tx) => {
      const userIds = await deleteUnreadableTwoFactors(tx, signInSecret(secret))
      await recordLostSecondFactors(tx, userIds)
      const repositoryKeys = await deleteUnreadableRepositoryKeys(tx, secretBox)
      return { lostSecondFactors: userIds.length, lostRepositoryKeys: repositoryKeys }
    })
    log.warn(lost, 'the previous master secret is treated as lost: remove QUAYSIDE_SECRET_PREVIOUS now')
  }
  if (previousSecret !== undefined) {
    const counts = {
      webhooks: await resealWebhookSecrets(db, secretBox),
      repositoryKeys: await resealRepositoryKeys(db, secretBox),
      customStores: await resealStoreCredentials(db, secretBox),
      responses: await resealResponses(db, secretBox),
      secondFactors: await resealTwoFactors(db, [secret, previousSecret].map(signInSecret)),
    }
    log.info(counts, 'encrypted the values of the previous master secret with the current one')
  }
  return { secret, previousSecret, secretBox }
}

// The verifier does not reveal the secret, because it is derived with one-way functions.
const verified = ['master secret v1', ''] as const
const verifierOf = (box: SecretBox): string => box.token(...verified)

const otherSecret = problem(
  'conflict',
  'secret.other',
  'The master secret does not match this database: its links would stop working, and its encrypted values could not be read. Start with the secret that was used before (QUAYSIDE_SECRET or the file "secret" in the data folder). To change the secret, set QUAYSIDE_SECRET_PREVIOUS to the previous secret. If it is lost, start once with QUAYSIDE_SECRET_PREVIOUS=lost: existing links stop working, and the secrets of webhooks and the keys of custom stores must be set again.',
)

async function readSecretFile(dataDir: string, { canCreate }: { canCreate: boolean }): Promise<string> {
  const path = join(dataDir, 'secret')
  const existing = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  })
  if (existing === undefined) {
    if (!canCreate) throw missingSecret({ path })
    await writePrivateFile(path, `${randomBytes(32).toString('base64url')}\n`)
    return (await readFile(path, 'utf8')).trim()
  }
  const weakness = weaknessOf(existing.trim())
  if (weakness === undefined) return existing.trim()
  throw secretDamaged({ path, weakness })
}

const secretDamaged = problem(
  'invalid',
  'secret.damaged',
  'The master secret in {path} {weakness}. Restore the file from a backup. If this data folder is new and empty, delete the file; the next start creates another one.',
)

const missingSecret = problem(
  'conflict',
  'secret.missing',
  'The master secret is missing: {path} does not exist, but the database requires it. Restore the file from a backup, or set QUAYSIDE_SECRET to its content. If it is lost, start once with QUAYSIDE_SECRET_PREVIOUS=lost: existing links stop working, and the secrets of webhooks and the keys of custom stores must be set again.',
  { hasSeveralStatuses: true },
)
