import { passwordsBusy } from '../../crypto/password-threads.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { problem } from '../../lib/problem.ts'
import {
  allNetworks,
  countGuess,
  deleteGuesses,
  findGuessPause,
  maxGuesses,
  pauseGuesses,
  uncountGuess,
} from './share-link-guess.db.ts'
import type { ShareLinkRow } from './share-link.db.ts'

type Context = Pick<Call, 'db' | 'log' | 'passwords' | 'exclusive' | 'address' | 'network'>
type ProtectedLink = ShareLinkRow & { password_hash: string }

/**
 * Throws 403 if the password is incorrect, and 429 after too many incorrect passwords from this client or, unless the
 * visitor has a grant, from all clients. Counts a guess before checking the password, so that concurrent guesses cannot
 * exceed the limits, and reverts the count if the password is correct or cannot be checked.
 */
export async function checkPassword(
  call: Context,
  link: ProtectedLink,
  password: string,
  { hasGrant }: { hasGrant: boolean },
): Promise<void> {
  const { network } = call
  const networks = hasGrant ? [network] : [allNetworks, network]
  // Guesses for one link are serialized here rather than by row locks, so that waiting guesses do not occupy database
  // connections.
  const guessCount = await call.exclusive(`guess ${link.id}`, () => takeGuess(call, link.id, networks))
  let isCorrect: boolean | undefined
  try {
    isCorrect = await call.passwords.verify(password, link.password_hash)
  } finally {
    if (isCorrect !== false) await uncountGuess(call.db, link.id, networks)
  }
  if (isCorrect) return deleteGuesses(call.db, link.id, network)
  if (guessCount === maxGuesses) await lockLink(call, link)
  throw wrongPassword()
}

const wrongPassword = problem(
  'forbidden',
  'share_link.wrong_password',
  'The password is incorrect. Try again.',
)

/** Counts a guess and returns the number of guesses by all clients; throws 429 if a limit has been reached. */
async function takeGuess({ db, passwords }: Context, linkId: string, networks: string[]): Promise<number> {
  // Rejects the guess before any query if the password queue is full.
  passwords.requireRoom()
  const pause = await findGuessPause(db, linkId, networks)
  if (pause !== undefined) throw tooManyGuesses({ retryAfterSeconds: pause })
  return inTransaction(db, async (tx) => {
    const counted = await countGuess(tx, linkId, networks)
    if (counted.length < networks.length)
      throw tooManyGuesses({ retryAfterSeconds: (await findGuessPause(tx, linkId, networks)) ?? 1 })
    return counted.find(({ network }) => network === allNetworks)?.guess_count ?? 0
  })
}

/** Blocks further guesses for a link for a limited time, and records this in the audit log and the server log. */
async function lockLink({ db, log, address }: Context, link: ShareLinkRow): Promise<void> {
  const { id, workspace_id: workspaceId, application_id: applicationId } = link
  await inTransaction(db, async (tx) => {
    const locked_until = await pauseGuesses(tx, id)
    if (locked_until === undefined) return
    const actor = { via: 'system', id: null, name: 'Password protection', workspaceId } as const
    await recordEvent(
      tx,
      { actor, address },
      {
        action: 'share_link.locked',
        applicationId,
        subject: { type: 'share_link', id },
        after: { locked_until, wrong_passwords: maxGuesses },
      },
    )
    log.warn({ shareLinkId: id, lockedUntil: locked_until }, 'too many incorrect passwords for a share link')
  })
}

const tooManyGuesses = problem(
  'too_many',
  'share_link.too_many_guesses',
  'Too many incorrect passwords were entered. Try again later.',
)

export const passwordProblems = [wrongPassword, tooManyGuesses, passwordsBusy]
