import type { PrivateKey } from 'openpgp'

/** An OpenPGP key as armored text. The private key has no passphrase. */
export type OpenPgpKey = { fingerprint: string; publicKey: string; privateKey: string }

/** Imported when it is needed, because parsing the library takes longer than the rest of a start. */
const load = () => import('openpgp')

/** Old versions of GnuPG and rpm do not read newer kinds of keys. */
const keyType = { type: 'ecc', curve: 'ed25519Legacy' } as const

/** Creates an Ed25519 key that never expires and can only sign. */
export async function generateOpenPgpKey(name: string, createdAt: Date): Promise<OpenPgpKey> {
  const { generateKey } = await load()
  const { privateKey } = await generateKey({
    ...keyType,
    userIDs: [{ name: name.replaceAll(/[<>()\p{C}]/gu, ' ').trim() || 'Package repository' }],
    subkeys: [],
    date: createdAt,
    format: 'object',
  })
  return describe(privateKey)
}

const describe = (key: PrivateKey): OpenPgpKey => ({
  fingerprint: key.getFingerprint(),
  publicKey: key.toPublic().armor(),
  privateKey: key.armor(),
})

/** Why a text is not a key with which indexes can be signed. */
export type UnusableKey = 'not a private key' | 'has a passphrase' | 'expires' | 'cannot sign'

/** Reads a private key that somebody exported. Returns why it cannot be used otherwise. */
export async function readOpenPgpKey(armored: string, now: Date): Promise<OpenPgpKey | UnusableKey> {
  const { readPrivateKey } = await load()
  let key: PrivateKey
  try {
    key = await readPrivateKey({ armoredKey: armored })
  } catch {
    return 'not a private key'
  }
  try {
    const signer = await key.getSigningKey(undefined, now)
    if ('isDecrypted' in signer && !(signer.isDecrypted() ?? false)) return 'has a passphrase'
    const times = [await key.getExpirationTime(), await expirationOf(signer)]
    if (times.some((time) => time instanceof Date)) return 'expires'
    await signDetached(Buffer.from('test'), [describe(key)], now)
    return describe(key)
  } catch {
    return key.isDecrypted() ? 'cannot sign' : 'has a passphrase'
  }
}

const expirationOf = async (signer: object): Promise<unknown> =>
  'getExpirationTime' in signer && typeof signer.getExpirationTime === 'function'
    ? (signer.getExpirationTime as () => unknown)()
    : undefined

type Signer = Pick<OpenPgpKey, 'privateKey'>

const readSigners = async (signers: readonly Signer[]): Promise<PrivateKey[]> => {
  const { readPrivateKey } = await load()
  return Promise.all(signers.map(({ privateKey }) => readPrivateKey({ armoredKey: privateKey })))
}

/** Returns the text with signatures of all keys, in the cleartext signature framework. */
export async function signCleartext(text: string, signers: readonly Signer[], date: Date): Promise<string> {
  const { createCleartextMessage, sign } = await load()
  const message = await createCleartextMessage({ text })
  return sign({ message, signingKeys: await readSigners(signers), date })
}

export type ArmoredAndBinary = { armored: string; binary: Buffer }

/** Returns the detached signatures of all keys over the bytes. */
export async function signDetached(
  bytes: Uint8Array,
  signers: readonly Signer[],
  date: Date,
): Promise<ArmoredAndBinary> {
  const { createMessage, readSignature, sign } = await load()
  const message = await createMessage({ binary: bytes })
  const signingKeys = await readSigners(signers)
  const armoredSignature: unknown = await sign({ message, signingKeys, detached: true, date })
  if (typeof armoredSignature !== 'string') throw new Error('the signature must be armored text')
  const signature = await readSignature({ armoredSignature })
  return { armored: armoredSignature, binary: Buffer.from(signature.write() as Uint8Array) }
}

/** Returns the certificates as one keyring. */
export async function exportKeyring(
  keys: readonly Pick<OpenPgpKey, 'publicKey'>[],
): Promise<ArmoredAndBinary> {
  const { armor, enums, readKey } = await load()
  const read = await Promise.all(keys.map(({ publicKey }) => readKey({ armoredKey: publicKey })))
  const binary = Buffer.concat(read.map((key) => Buffer.from(key.toPublic().write())))
  // GnuPG needs the checksum if the text is not padded.
  return { armored: armor(enums.armor.publicKey, binary, undefined, undefined, undefined, true), binary }
}
