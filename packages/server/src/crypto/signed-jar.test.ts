import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { missing, run, runText, temporaryFolder } from '../../test/inspection/programs.ts'
import { generateCertificateKey, readCertificateKey, signWithCertificate } from './certificate-key.ts'
import { signedJar } from './signed-jar.ts'

test('creates a certificate that signs itself and outlives its clients', async () => {
  const key = await generateCertificateKey('Häfen & Söhne', new Date('2026-11-28T10:00:00Z'))
  const certificate = new X509Certificate(key.publicKey)
  assert.ok(certificate.verify(certificate.publicKey))
  assert.equal(certificate.subject, 'CN=Häfen & Söhne')
  assert.equal(certificate.validFromDate.toISOString(), '2026-11-28T10:00:00.000Z')
  assert.equal(certificate.validToDate.getUTCFullYear(), 2054)
  assert.equal(key.fingerprint, certificate.fingerprint256.replaceAll(':', '').toLowerCase())
  assert.deepEqual(readCertificateKey(`${key.publicKey}\n${key.privateKey}`, new Date()), key)
  const other = await generateCertificateKey('Häfen & Söhne', new Date())
  assert.notEqual(new X509Certificate(other.publicKey).serialNumber, certificate.serialNumber)
})

test('openssl verifies the signature block', { skip: missing('openssl') }, async () => {
  using folder = temporaryFolder()
  const key = await generateCertificateKey('Harbor', new Date())
  const text = Buffer.from('signed')
  writeFileSync(folder.path('block'), signWithCertificate(text, key))
  writeFileSync(folder.path('text'), text)
  writeFileSync(folder.path('certificate'), key.publicKey)
  const args = ['cms', '-verify', '-inform', 'DER', '-binary', '-purpose', 'any']
  const files = ['-in', folder.path('block'), '-content', folder.path('text')]
  const output = run('openssl', [...args, ...files, '-CAfile', folder.path('certificate')])
  assert.equal(output.toString(), 'signed')
})

test('unzip reads the JAR', { skip: missing('unzip') }, async () => {
  using folder = temporaryFolder()
  const key = await generateCertificateKey('Harbor', new Date())
  const files = [
    { path: 'entry.json', content: Buffer.from('{}') },
    { path: 'empty', content: Buffer.alloc(0) },
  ]
  const path = folder.path('entry.jar')
  writeFileSync(
    path,
    signedJar(files, (bytes) => signWithCertificate(bytes, key)),
  )
  assert.match(runText('unzip', ['-tq', path]), /No errors detected/)
  assert.equal(runText('unzip', ['-p', path, 'entry.json']), '{}')
  assert.match(
    runText('unzip', ['-p', path, 'META-INF/MANIFEST.MF']),
    /^Manifest-Version: 1\.0\r\n\r\nName: entry\.json\r\nSHA-256-Digest: .{44}\r\n\r\nName: empty\r\n/,
  )
})
