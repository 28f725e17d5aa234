import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

// The lowest cost that OWASP recommends for Argon2id: 19 MiB, two passes.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const phcFormat = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Hashes a password with Argon2id and a random salt; returns a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive(password, nonce, cost, 32)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** Returns whether the password matches a hash from `hashPassword`; throws for any other hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcFormat.exec(hash) ?? []
  if (tag === '') throw new Error('not an Argon2id hash')
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const expected = Buffer.from(tag, 'base64')
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, 'base64'), parameters, expected.length),
    expected,
  )
}

function derive(message: string, nonce: Buffer, parameters: typeof cost, tagLength: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { ...parameters, message, nonce, tagLength }, (error, tag) =>
      error === null ? resolve(Buffer.from(tag)) : reject(error),
    )
  })
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
