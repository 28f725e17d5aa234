import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ReleaseError } from '../release-error.ts'
import { minisign, minisignPublicKeyFile } from './minisign.ts'
import { parseSecretKey, testKey, type ReleaseKey } from './release-key.ts'
import { sshIdentity, sshNamespace, sshPublicKey, sshSignature } from './ssh-signature.ts'

const folder = mkdtempSync(join(tmpdir(), 'quayside-signatures-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const key = testKey()
const content = Buffer.from('checksums\n')
const has = (program: string): boolean => spawnSync(program, ['-v']).error === undefined

const verifies = ({ publicKey }: ReleaseKey, message: Buffer, signature: Buffer): boolean => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
}

/** Returns a secret key file as minisign writes it. */
function secretKeyFile(change: (bytes: Buffer) => void = () => {}): string {
  const bytes = Buffer.alloc(158)
  bytes.write('Ed\0\0B2', 'latin1')
  key.id.copy(bytes, 54)
  const { d = '' } = key.privateKey.export({ format: 'jwk' })
  Buffer.from(d, 'base64url').copy(bytes, 62)
  key.publicKey.copy(bytes, 94)
  change(bytes)
  return `untrusted comment: minisign secret key\n${bytes.toString('base64')}\n`
}

describe('a minisign signature', () => {
  test('covers the digest of the content, and the comment', () => {
    const [, signatureLine = '', commentLine = '', globalLine = ''] = minisign(
      key,
      content,
      'version 1',
    ).split('\n')
    const signature = Buffer.from(signatureLine, 'base64')
    assert.equal(signature.toString('latin1', 0, 2), 'ED')
    assert.deepEqual(signature.subarray(2, 10), key.id)
    const digest = createHash('blake2b512').update(content).digest()
    assert.ok(verifies(key, digest, signature.subarray(10)))
    assert.equal(commentLine, 'trusted comment: version 1')
    const signed = Buffer.concat([signature.subarray(10), Buffer.from('version 1')])
    assert.ok(verifies(key, signed, Buffer.from(globalLine, 'base64')))
  })

  test(
    'is accepted by minisign until the content changes',
    { skip: !has('minisign') && 'no minisign' },
    () => {
      const path = join(folder, 'minisign')
      writeFileSync(`${path}.pub`, minisignPublicKeyFile(key))
      writeFileSync(`${path}.minisig`, minisign(key, content, 'version 1'))
      const check = (text: Buffer) => {
        writeFileSync(path, text)
        return spawnSync('minisign', ['-V', '-p', `${path}.pub`, '-m', path]).status
      }
      assert.equal(check(content), 0)
      assert.notEqual(check(Buffer.from('other\n')), 0)
    },
  )
})

describe('an SSH signature', () => {
  test(
    'is accepted by ssh-keygen until the content changes',
    { skip: !has('ssh-keygen') && 'no OpenSSH' },
    () => {
      const path = join(folder, 'ssh')
      writeFileSync(`${path}.signers`, `${sshIdentity} ${sshPublicKey(key)}\n`)
      writeFileSync(`${path}.sshsig`, sshSignature(key, content))
      const check = (text: Buffer, namespace: string) => {
        const signer = ['-f', `${path}.signers`, '-I', sshIdentity, '-n', namespace, '-s', `${path}.sshsig`]
        return spawnSync('ssh-keygen', ['-Y', 'verify', ...signer], { input: text }).status
      }
      assert.equal(check(content, sshNamespace), 0)
      assert.notEqual(check(Buffer.from('other\n'), sshNamespace), 0)
      assert.notEqual(check(content, 'another-purpose'), 0)
    },
  )
})

describe('a secret key of minisign', () => {
  test('is read with its ID and public key', () => {
    const parsed = parseSecretKey(secretKeyFile())
    assert.deepEqual([parsed.id, parsed.publicKey, parsed.isTest], [key.id, key.publicKey, false])
    assert.equal(minisign(parsed, content, 'x'), minisign(key, content, 'x'))
  })

  test('is rejected if it has a password, is damaged or is something else', () => {
    const withPassword = secretKeyFile((bytes) => bytes.write('Sc', 2))
    const damaged = secretKeyFile((bytes) => bytes.fill(0, 62, 70))
    assert.throws(
      () => parseSecretKey(withPassword),
      new ReleaseError('The signing key has a password. Create a key without one: minisign -G -W'),
    )
    assert.throws(() => parseSecretKey(damaged), /does not belong to it/)
    for (const text of ['', 'key', minisignPublicKeyFile(key)])
      assert.throws(() => parseSecretKey(text), /is not a minisign secret key/)
  })
})
