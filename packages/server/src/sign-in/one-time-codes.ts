import { createHmac } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import type { Db } from '../database/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { claimCodeStep, findTwoFactorSecret } from './two-factor.db.ts'

const stepMs = 30_000
// better-auth accepts the codes of the steps before and after the current one, and checks a moment later.
const checkedSteps = [-2, -1, 0, 1, 2]

/**
 * Creates the plugin that accepts each code of an authenticator app once (RFC 6238, section 5.2). better-auth checks the
 * code; this claims its step first, in one statement, so that only one of two concurrent sign-ins can use it.
 */
export async function createOneTimeCodes(db: Db, clock: Pick<Clock, 'now'>): Promise<BetterAuthPlugin> {
  const [{ APIError, createAuthMiddleware, getSessionFromCtx }, { symmetricDecrypt }] = await Promise.all([
    import('better-auth/api'),
    import('better-auth/crypto'),
  ])
  const claim = createAuthMiddleware(async (context) => {
    const { code } = (context.body ?? {}) as { code?: unknown }
    if (typeof code !== 'string') return
    const { internalAdapter, secret, secretConfig, createAuthCookie } = context.context
    async function findChallengedUser(): Promise<string | undefined> {
      const identifier = await context.getSignedCookie(createAuthCookie('two_factor').name, secret)
      if (!identifier) return undefined
      return (await internalAdapter.findVerificationValue(identifier))?.value
    }
    const userId = (await getSessionFromCtx(context))?.user.id ?? (await findChallengedUser())
    const encrypted = userId === undefined ? undefined : await findTwoFactorSecret(db, userId)
    if (userId === undefined || encrypted === undefined) return
    const key = await symmetricDecrypt({ key: secretConfig, data: encrypted })
    const now = Math.floor(clock.now().getTime() / stepMs)
    const step = checkedSteps.map((offset) => now + offset).findLast((each) => codeOf(key, each) === code)
    if (step !== undefined && !(await claimCodeStep(db, userId, step)))
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code has already been used.' })
  })
  return {
    id: 'quayside-one-time-codes',
    hooks: { before: [{ matcher: ({ path }) => path === '/two-factor/verify-totp', handler: claim }] },
  }
}

/** Returns the code of a step (RFC 4226, section 5.3). */
function codeOf(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
