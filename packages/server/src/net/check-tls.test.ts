import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createServer, type TlsOptions } from 'node:tls'
import { checkTls } from './check-tls.ts'

const skip = spawnSync('openssl', ['version']).error !== undefined && 'requires openssl'
const dayMs = 24 * 60 * 60 * 1000

describe('checkTls', { skip }, () => {
  let folder: string
  const pathOf = (name: string) => join(folder, name)
  const pem = (name: string) => readFileSync(pathOf(`${name}.pem`), 'utf8')

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quayside-tls-'))
    issue('root', { isAuthority: true })
    issue('intermediate', { isAuthority: true, issuer: 'root' })
    issue('good', { issuer: 'intermediate' })
    issue('alone', {})
    issue('other', { issuer: 'intermediate', names: 'DNS:other.example' })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  type Issue = { issuer?: string; isAuthority?: boolean; names?: string }

  /** Issues a certificate for 100 days, which the authority signs or the certificate itself. */
  function issue(name: string, { issuer, isAuthority = false, names = 'DNS:localhost' }: Issue): void {
    const extensions = isAuthority
      ? 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign'
      : `basicConstraints=CA:FALSE\nsubjectAltName=${names}`
    writeFileSync(pathOf('extensions'), extensions)
    const run = (line: string) => execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' })
    run(
      `req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`,
    )
    const signer =
      issuer === undefined ? `-signkey ${name}.key` : `-CA ${issuer}.pem -CAkey ${issuer}.key -CAcreateserial`
    run(`x509 -req -in ${name}.csr -days 100 -extfile extensions ${signer} -out ${name}.pem`)
  }

  type Check = { inDays?: number; isTrusted?: boolean; options?: TlsOptions }

  /** Checks a server that sends these certificates. */
  async function check(names: string[], { inDays = 0, isTrusted = true, options = {} }: Check = {}) {
    const cert = names.map(pem).join('')
    const server = createServer({ key: readFileSync(pathOf(`${names[0]}.key`)), cert, ...options })
    server.on('tlsClientError', () => {})
    server.listen(0)
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const findings = await checkTls(`https://localhost:${port}`, {
        now: new Date(Date.now() + inDays * dayMs),
        authorities: isTrusted ? [pem('root')] : [],
      })
      const first = findings.find(({ check: name }) => name === 'tls')
      return { ...first, findings }
    } finally {
      server.close()
    }
  }

  test('accepts a complete chain, and says that devices must trust a private authority', async () => {
    const { status, detail, advice, findings } = await check(['good', 'intermediate'])
    assert.deepEqual(
      [status, detail],
      ['warning', 'the certificate is from root, which is not a public authority'],
    )
    assert.match(advice ?? '', /Certificate Trust Settings/)
    const network = findings.find(({ check: name }) => name === 'iOS')
    assert.match(network?.advice ?? '', /ocsp\.apple\.com/)
    assert.equal(findings.length, 2)
  })

  test('explains an incomplete chain, an unknown authority and a self-signed certificate', async () => {
    const incomplete = await check(['good'])
    assert.equal(incomplete.status, 'failure')
    assert.equal(
      incomplete.detail,
      'the chain is incomplete: the server does not send the certificate of intermediate',
    )
    assert.match(incomplete.advice ?? '', /full chain/)
    const unknown = await check(['good', 'intermediate', 'root'], { isTrusted: false })
    assert.match(unknown.detail ?? '', /not trusted \(SELF_SIGNED_CERT_IN_CHAIN\)/)
    const alone = await check(['alone'])
    assert.deepEqual([alone.status, alone.detail], ['failure', 'the certificate is self-signed'])
    assert.match(alone.advice ?? '', /Let’s Encrypt/)
  })

  test('explains a certificate for another host', async () => {
    const { status, detail } = await check(['other', 'intermediate'])
    assert.deepEqual(
      [status, detail],
      ['failure', 'the certificate is for other.example and not for localhost'],
    )
  })

  test('warns 14 days before a certificate expires, and explains that it has expired', async () => {
    const soon = await check(['good', 'intermediate'], { inDays: 90 })
    assert.ok(soon.findings.some(({ detail }) => detail === 'the certificate expires in 9 days'))
    // A certificate for no days at all expires at once.
    const command =
      'x509 -req -in good.csr -days -1 -extfile extensions -CA intermediate.pem -CAkey intermediate.key -CAcreateserial -out expired.pem'
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'ignore' })
    execFileSync('cp', [pathOf('good.key'), pathOf('expired.key')])
    const { status, detail } = await check(['expired', 'intermediate'])
    assert.equal(status, 'failure')
    assert.match(detail ?? '', /^the certificate expired on \d{4}-\d\d-\d\d$/)
  })

  test('explains an old version of TLS and a server without TLS', async () => {
    const options = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const { findings } = await check(['good', 'intermediate'], { options })
    assert.ok(
      findings.some(({ status, detail }) => status === 'failure' && detail === 'the connection uses TLSv1.1'),
      JSON.stringify(findings),
    )
    const plain = createPlainServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0)
    await once(plain, 'listening')
    const { port } = plain.address() as AddressInfo
    const [found] = await checkTls(`https://localhost:${port}`, { now: new Date() })
    plain.close()
    assert.deepEqual(
      [found?.status, found?.detail],
      ['failure', 'the server at the public URL does not speak TLS'],
    )
    const [closed] = await checkTls(`https://localhost:${port}`, { now: new Date() })
    assert.match(closed?.detail ?? '', /ECONNREFUSED/)
    const [http] = await checkTls('http://localhost', { now: new Date() })
    assert.match(http?.detail ?? '', /is not https/)
  })
})
