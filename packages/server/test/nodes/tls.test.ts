import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { connectDatabase } from '../../src/database/connect.ts'
import { waitForDatabase } from '../../src/database/wait-for-database.ts'
import { hasSystemPostgres, startSystemPostgres, type SystemPostgres } from '../system-postgres.ts'

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined
const skip = !(hasSystemPostgres && hasOpenssl) && 'needs postgresql and openssl'
const log = { warn: () => {} }

describe('with a PostgreSQL server that accepts only TLS connections', { skip }, () => {
  let server: SystemPostgres
  let certificate: string
  before(async () => {
    server = await startSystemPostgres()
    const path = (name: string) => join(server.folder, name)
    const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const files = ['-keyout', path('created.key'), '-out', path('created.pem')]
    await promisify(execFile)('openssl', ['req', '-x509', ...options, ...names, ...files])
    certificate = await server.writeFile('server.pem', await readFile(path('created.pem'), 'utf8'))
    const key = await server.writeFile('server.key', await readFile(path('created.key'), 'utf8'))
    await server.query(`alter system set ssl_cert_file = '${certificate}'`)
    await server.query(`alter system set ssl_key_file = '${key}'`)
    await server.query('alter system set ssl = on')
    await server.stop()
    await server.writeFile('data/pg_hba.conf', 'hostssl all all 127.0.0.1/32 trust\n')
    await server.start({ ssl: { rejectUnauthorized: false } })
  })
  after(() => server.remove())

  /** Connects with these parameters and returns the TLS version, or throws. */
  async function connect(parameters: string, host = 'localhost'): Promise<string | undefined> {
    const url = `postgres://quayside@${host}:${server.connection.port}/service?${parameters}`
    const { pool, close } = connectDatabase({ connection: { connectionString: url }, maxConnections: 1, log })
    try {
      await waitForDatabase(pool, { log, timeoutSeconds: 30, stopping: undefined })
      const { rows } = await pool.query<{ version: string }>(
        'select version from pg_stat_ssl where pid = pg_backend_pid()',
      )
      return rows[0]?.version
    } finally {
      await close()
    }
  }

  test('verifies the certificate and the host name with sslmode=verify-full and sslrootcert', async () => {
    assert.match((await connect(`sslmode=verify-full&sslrootcert=${certificate}`)) ?? '', /^TLSv1\.[23]$/)
  })

  test('rejects a certificate that no trusted authority has signed', async () => {
    await assert.rejects(connect('sslmode=verify-full'), { code: 'database.untrusted_certificate' })
  })

  test('rejects a certificate for another host name', async () => {
    await assert.rejects(connect(`sslmode=verify-full&sslrootcert=${certificate}`, '127.0.0.1'), {
      code: 'database.other_certificate',
    })
  })

  test('encrypts the connection without verifying the certificate with sslmode=no-verify', async () => {
    assert.match((await connect('sslmode=no-verify', '127.0.0.1')) ?? '', /^TLSv1\.[23]$/)
  })

  test('reports that the server requires TLS if the URL does not', async () => {
    await assert.rejects(connect('sslmode=disable'), { code: 'database.access_denied' })
  })
})
