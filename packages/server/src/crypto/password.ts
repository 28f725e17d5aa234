import { randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createPasswordThreads } from './password-threads.ts'

export type Passwords = {
  /** Hashes a password with Argon2id and a random salt; returns a PHC string. */
  hash(password: string): Promise<string>
  /** Returns whether the password matches a hash created by `hash`. Throws if the hash is not an Argon2id hash. */
  verify(password: string, hash: string): Promise<boolean>
  /** Throws the `password.busy` Problem (503) if `hash` and `verify` would currently throw it. */
  requireRoom(): void
  close(): Promise<void>
}

// The minimum that OWASP recommends for Argon2id: 19 MiB and two passes. One hash takes 25 to 50 ms of CPU time.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const phcFormat = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
/** Maximum number of waiting callers. Each waits less than a second; additional callers receive a 503. */
const maxWaiting = 16

/**
 * Creates the functions that hash and verify passwords. They use half of the CPU cores, but at most two, so that the
 * rest of the service stays responsive. While `maxWaiting` callers are waiting, both functions throw the
 * `password.busy` Problem (503).
 */
export function createPasswords(): Passwords {
  const threads = createPasswordThreads({
    threads: Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2))),
    maxWaiting,
  })
  return {
    async hash(password) {
      const nonce = randomBytes(16)
      const tag = await threads.derive({ ...cost, message: password, nonce, tagLength: 32 })
      const { memory, passes, parallelism } = cost
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
    },
    async verify(password, hash) {
      const [, memory, passes, parallelism, salt = '', tag = ''] = phcFormat.exec(hash) ?? []
      if (tag === '') throw new Error('not an Argon2id hash')
      const expected = Buffer.from(tag, 'base64')
      const actual = await threads.derive({
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
        message: password,
        nonce: Buffer.from(salt, 'base64'),
        tagLength: expected.length,
      })
      return timingSafeEqual(actual, expected)
    },
    requireRoom: () => threads.requireRoom(),
    close: () => threads.close(),
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
