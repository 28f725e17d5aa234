import { createHash, randomBytes } from 'node:crypto'
import { inTransaction, type Db } from '../database/transaction.ts'
import { problem } from '../lib/problem.ts'
import {
  countGuess,
  findGuessPause,
  listKnownSources,
  markSourcesKnown,
  uncountGuess,
  type GuessCounter,
} from './guess.db.ts'

/** Maximum wrong passwords per account from one network or device that has signed in before. */
const maxFromKnownSource = 10
/** Maximum wrong passwords per account from one network that has not signed in before. */
const maxFromNetwork = 5
/** Maximum wrong passwords per account from all networks that have not signed in before. */
const maxFromUnknownSources = 20
/** Maximum wrong passwords for all accounts from one network. */
const maxForAllAccounts = 50
/** Maximum emails with links to one account. */
const maxMails = 5

const allAccounts = Buffer.alloc(32)
const unknownSources = ''

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
const accountOf = (email: string): Buffer => hash(email.toLowerCase())
const deviceSource = (deviceId: string): string => `device ${hash(deviceId).toString('base64url')}`
const networkSource = (network: string): string => `network ${network}`

export type Guess = {
  /** Reverts the count, because the password was correct or could not be checked. */
  undo(): Promise<void>
  /** Records that the person has signed in, so that the network and the device get limits of their own. */
  confirm(deviceId: string): Promise<void>
}

type Source = { email: string; network: string; deviceId: string | undefined }

/** Returns a new random ID for the cookie that identifies a device. */
export const createDeviceId = (): string => randomBytes(18).toString('base64url')

/**
 * Counts a guess of a password before it is checked. Throws 429 if too many were wrong within five minutes. Sources
 * that have signed in to the account before have limits of their own, so that guesses from elsewhere cannot lock out the
 * owner. Email addresses without an account are counted in the same way.
 */
export async function takeGuess(db: Db, { email, network, deviceId }: Source): Promise<Guess> {
  const account = accountOf(email)
  const [fromNetwork, fromDevice] = [networkSource(network), deviceId && deviceSource(deviceId)]
  const known = await listKnownSources(db, account, fromDevice ? [fromDevice, fromNetwork] : [fromNetwork])
  const knownSource = known.find((source) => source === fromDevice) ?? known[0]
  const counters: GuessCounter[] =
    knownSource !== undefined
      ? [{ account, source: knownSource, limit: maxFromKnownSource }]
      : [
          { account: allAccounts, source: fromNetwork, limit: maxForAllAccounts },
          { account, source: unknownSources, limit: maxFromUnknownSources },
          { account, source: fromNetwork, limit: maxFromNetwork },
        ]
  await requireCounted(db, counters)
  return {
    undo: () => uncountGuess(db, counters),
    async confirm(id) {
      await uncountGuess(db, counters)
      await markSourcesKnown(db, account, [deviceSource(id), fromNetwork].toSorted())
    },
  }
}

/** Records a sign-in without a password from this network and device. */
export const recordSignIn = (db: Db, email: string, network: string, deviceId: string): Promise<void> =>
  markSourcesKnown(db, accountOf(email), [deviceSource(deviceId), networkSource(network)].toSorted())

/** Counts an email with a link to the account. Returns false if there were five within five minutes. */
export async function takeMail(db: Db, email: string): Promise<boolean> {
  return isCounted(db, [{ account: accountOf(email), source: 'mail', limit: maxMails }])
}

class LimitReached extends Error {}

async function isCounted(db: Db, counters: readonly GuessCounter[]): Promise<boolean> {
  try {
    await inTransaction(db, async (tx) => {
      if ((await countGuess(tx, counters)) < counters.length) throw new LimitReached()
    })
    return true
  } catch (error) {
    if (error instanceof LimitReached) return false
    throw error
  }
}

async function requireCounted(db: Db, counters: readonly GuessCounter[]): Promise<void> {
  if (await isCounted(db, counters)) return
  const retryAfterSeconds = Math.max(1, await findGuessPause(db, counters))
  throw tooManyGuesses({ seconds: retryAfterSeconds }, { retryAfterSeconds })
}

const tooManyGuesses = problem(
  'too_many',
  'sign_in.too_many_guesses',
  'Too many incorrect passwords. Try again in {seconds} s, or sign in with a passkey or an email link.',
)
