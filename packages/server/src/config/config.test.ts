import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'

describe('secrets in settings', () => {
  const names = ['QUAYSIDE_SECRET', 'QUAYSIDE_SECRET_PREVIOUS', 'QUAYSIDE_BOOTSTRAP_KEY']
  for (const name of names)
    test(`rejects a short or repetitive ${name} without quoting it in the error`, () => {
      for (const value of ['short', 'a'.repeat(32), 'ab'.repeat(32), '1234567'.repeat(9)])
        assert.throws(
          () => readConfig({ [name]: value }),
          (error) => error instanceof Error && error.message.includes(name) && !error.message.includes(value),
        )
      assert.ok(readConfig({ [name]: '0123456789abcdef0123456789abcdef' }))
    })

  test('accepts the value `lost` only for QUAYSIDE_SECRET_PREVIOUS', () => {
    assert.equal(readConfig({ QUAYSIDE_SECRET_PREVIOUS: 'lost' }).secretPrevious, 'lost')
    assert.throws(() => readConfig({ QUAYSIDE_SECRET: 'lost' }), /at least 32 characters/)
  })
})

describe('warnings about settings', () => {
  const warnings = (environment: Record<string, string>) => readConfig(environment).warnings

  const misspelled = {
    QUAYSIDE_DATA: 'QUAYSIDE_DATA_DIR',
    QUAYSIDE_DATA_FOLDER: 'QUAYSIDE_DATA_DIR',
    QUAYSIDE_PROT: 'QUAYSIDE_PORT',
    QUAYSIDE_PUBLC_URL: 'QUAYSIDE_PUBLIC_URL',
    QUAYSIDE_DATABASE_URL: 'DATABASE_URL',
  }
  for (const [name, intended] of Object.entries(misspelled))
    test(`suggests ${intended} for ${name}`, () => {
      assert.deepEqual(warnings({ [name]: 'x' }), [
        `${name} is not a setting and has no effect. Did you mean ${intended}?`,
      ])
    })

  test('reports an unknown setting without a suggestion if no setting has a similar name', () => {
    assert.deepEqual(warnings({ QUAYSIDE_COLOR_SCHEME: 'x' }), [
      'QUAYSIDE_COLOR_SCHEME is not a setting and has no effect.',
    ])
  })

  test('does not report valid settings, command-line variables or unrelated variables', () => {
    assert.deepEqual(warnings({ QUAYSIDE: 'x', PATH: 'x', QUAYSIDE_PORT: '80', QUAYSIDE_API_KEY: 'x' }), [])
  })

  test('reports that other computers cannot use the default public URL', () => {
    const [warning = '', ...others] = warnings({ QUAYSIDE_HOST: '0.0.0.0', QUAYSIDE_PORT: '8080' })
    assert.match(warning, /listens on 0\.0\.0\.0, .* http:\/\/localhost:8080, .* Set QUAYSIDE_PUBLIC_URL/)
    assert.deepEqual(others, [])
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '::1'])
      assert.deepEqual(warnings({ QUAYSIDE_HOST: host }), [])
  })

  test('does not report a public URL that a proxy or a container can map', () => {
    for (const url of ['https://builds.example.com', 'http://localhost:8080'])
      assert.deepEqual(warnings({ QUAYSIDE_HOST: '0.0.0.0', QUAYSIDE_PUBLIC_URL: url }), [])
  })

  test('reports a public URL with an address that clients cannot connect to', () => {
    for (const url of ['http://0.0.0.0:4400', 'http://[::]:4400'])
      assert.match(warnings({ QUAYSIDE_PUBLIC_URL: url }).join(), /not one that clients can connect to/)
  })
})

describe('QUAYSIDE_ACCEL_REDIRECT_PREFIX', () => {
  const prefix = (value: string) => readConfig({ QUAYSIDE_ACCEL_REDIRECT_PREFIX: value }).accelRedirectPrefix

  test('accepts a path with or without a trailing slash', () => {
    assert.equal(prefix('/internal/'), '/internal/')
    assert.equal(prefix('/internal'), '/internal/')
    assert.equal(prefix('/quayside/files//'), '/quayside/files/')
    assert.equal(prefix(''), undefined)
  })

  test('rejects a value that is not a path or that hides paths of the service', () => {
    for (const value of [
      'internal',
      '/',
      '//',
      '/a//b',
      '/in ternal',
      '/internal?x',
      '/%69nternal',
      '/storage',
      '/api/v1/',
    ])
      assert.throws(() => prefix(value), /must be a path such as \/internal\//, value)
  })
})

describe('QUAYSIDE_STORAGE_GROUP', () => {
  const read = (value: string, prefix = '/internal/') =>
    readConfig({ QUAYSIDE_STORAGE_GROUP: value, QUAYSIDE_ACCEL_REDIRECT_PREFIX: prefix })

  test('accepts the name or the ID of a group', () => {
    assert.equal(read('www-data').storageGroup, 'www-data')
    assert.equal(read('101').storageGroup, '101')
    assert.deepEqual(read('www-data').warnings, [])
    for (const value of ['-1', 'www data', 'a:b', '33/'])
      assert.throws(() => read(value), /must be the name or the numeric ID of a group/, value)
  })

  test('is reported if it has no effect', () => {
    assert.match(
      read('www-data', '').warnings.join(),
      /has no effect, because QUAYSIDE_ACCEL_REDIRECT_PREFIX is not set/,
    )
  })
})

describe('QUAYSIDE_BUNDLETOOL', () => {
  const tool = { QUAYSIDE_BUNDLETOOL: '/opt/bundletool.jar', PATH: '/usr/bin' }
  const key = {
    QUAYSIDE_BUNDLETOOL_KEYSTORE: '/opt/key.p12',
    QUAYSIDE_BUNDLETOOL_KEYSTORE_PASSWORD: 'secret',
    QUAYSIDE_BUNDLETOOL_KEY_ALIAS: 'quayside',
  }

  test('is read with the key that signs APKs', () => {
    const { bundletool, warnings } = readConfig({ ...tool, ...key })
    const keystore = { path: '/opt/key.p12', password: 'secret', alias: 'quayside' }
    assert.deepEqual(bundletool, { jar: '/opt/bundletool.jar', searchPath: '/usr/bin', keystore })
    assert.deepEqual(warnings, [])
  })

  test('causes a warning without a key and an error with an incomplete key', () => {
    assert.match(readConfig(tool).warnings.join(), /Universal APKs are not signed/)
    for (const name of Object.keys(key))
      assert.throws(() => readConfig({ ...tool, ...key, [name]: '' }), /must be set together/)
  })
})

test('rejects a role, a direct URL or a read URL without DATABASE_URL', () => {
  const environment = {
    QUAYSIDE_ROLE: 'worker',
    DATABASE_DIRECT_URL: 'postgres://db.example.com/quayside',
    DATABASE_READ_URL: 'postgres://replica.example.com/quayside',
  }
  assert.throws(() => readConfig(environment), {
    message:
      'QUAYSIDE_ROLE=worker requires DATABASE_URL.\nDATABASE_DIRECT_URL requires DATABASE_URL.\nDATABASE_READ_URL requires DATABASE_URL.',
  })
  const config = readConfig({ ...environment, DATABASE_URL: 'postgres://pool.example.com/quayside' })
  assert.equal(config.role, 'worker')
  assert.equal(config.databaseReadUrl, environment.DATABASE_READ_URL)
})

test('reports every invalid setting with its valid values', () => {
  const invalid = {
    QUAYSIDE_PORT: '99999',
    QUAYSIDE_PUBLIC_URL: 'builds.example.com',
    QUAYSIDE_LOG_LEVEL: 'verbose',
    QUAYSIDE_STORAGE: 's4',
    QUAYSIDE_TRASH_DAYS: 'seven',
    QUAYSIDE_SMTP_URL: 'mail.example.com:587',
    QUAYSIDE_MAIL_FROM: 'Builds',
    QUAYSIDE_TRUSTED_PROXIES: 'nginx',
    QUAYSIDE_DNS_SERVERS: 'dns.example.com',
    DATABASE_URL: 'mysql://db/quayside',
  }
  const expected = [
    'QUAYSIDE_STORAGE must be one of local, s3, not "s4".',
    'QUAYSIDE_PORT must be an integer between 0 and 65535, not "99999".',
    'QUAYSIDE_PUBLIC_URL must be an http or https URL such as https://builds.example.com, not "builds.example.com".',
    'DATABASE_URL must start with postgres:// or postgresql://.',
    'QUAYSIDE_TRASH_DAYS must be an integer between 0 and 3650, not "seven".',
    'QUAYSIDE_TRUSTED_PROXIES must be a comma-separated list of addresses or ranges such as 10.0.0.0/8, not "nginx".',
    'QUAYSIDE_SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587.',
    'QUAYSIDE_MAIL_FROM must be an address such as "Builds <builds@example.com>", not "Builds".',
    'QUAYSIDE_DNS_SERVERS must be a comma-separated list of servers such as 9.9.9.9, 10.0.0.2:5353 or [fd00::2]:53, not "dns.example.com".',
    'QUAYSIDE_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "verbose".',
  ]
  assert.throws(
    () => readConfig(invalid),
    (error: Error) => {
      assert.deepEqual(error.message.split('\n'), expected)
      return true
    },
  )
})

describe('QUAYSIDE_DISK_RESERVE', () => {
  const diskReserve = (value: string) => readConfig({ QUAYSIDE_DISK_RESERVE: value }).diskReserve

  test('accepts a size or a percentage', () => {
    assert.deepEqual(diskReserve('20 GB'), { bytes: 20 * 1024 ** 3 })
    assert.deepEqual(diskReserve('0'), { bytes: 0 })
    assert.deepEqual(diskReserve('2.5%'), { percent: 2.5 })
    assert.equal(diskReserve(''), undefined)
  })

  test('rejects a value that is neither a size nor a percentage', () => {
    for (const value of ['much', '-1', '100%', '5 percent'])
      assert.throws(() => diskReserve(value), /must be a size such as 20 GB or a percentage such as 5%, not/)
  })
})

describe('DATABASE_URL', () => {
  const invalid = [
    'postgres://quayside:pass#word@db:5432/quayside',
    'postgres://quayside:pass/word@db/quayside',
    'postgres://quayside:12/34@db/quayside',
    'postgres://quayside:12#34@db/quayside',
    'postgres://quayside:pass?word@db/quayside',
    'postgres://db:port/quayside',
  ]
  for (const url of invalid)
    test(`rejects ${url} without quoting it in the error`, () => {
      assert.throws(
        () => readConfig({ DATABASE_URL: url }),
        (error) =>
          error instanceof Error &&
          /DATABASE_URL is not a valid URL\. Percent-encode/.test(error.message) &&
          !error.message.includes(url),
      )
    })

  test('accepts passwords with other or percent-encoded special characters, Unix sockets and parameters', () => {
    for (const url of [
      'postgres://quayside:p@ss%23w0rd!$&@db.example.com:6432/quayside?sslmode=require',
      'postgresql://quayside@localhost/quayside?host=%2Frun%2Fpostgresql&port=5433',
      'postgres://%2Frun%2Fpostgresql/quayside',
      'postgres://quayside:secret@/quayside?host=/run/postgresql',
      'postgres:///quayside',
      'postgres://[::1]:5432/quayside',
    ])
      assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
  })
})

describe('settings for signing in', () => {
  const problemsOf = (environment: Record<string, string>): string => {
    try {
      readConfig(environment)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  test('reads the first owner and the identity provider', () => {
    const config = readConfig({
      QUAYSIDE_ADMIN_EMAIL: 'Grace@Example.com',
      QUAYSIDE_ADMIN_PASSWORD: 'correct horse battery',
      QUAYSIDE_OIDC_ISSUER: 'https://id.example.com',
      QUAYSIDE_OIDC_CLIENT_ID: 'quayside',
      QUAYSIDE_OIDC_CLIENT_SECRET: 'secret',
      QUAYSIDE_OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
    })
    assert.deepEqual(config.admin, { email: 'grace@example.com', password: 'correct horse battery' })
    assert.deepEqual(config.oidc, {
      issuer: 'https://id.example.com',
      clientId: 'quayside',
      clientSecret: 'secret',
      name: 'single sign-on',
      allowedDomains: ['example.com', 'example.org'],
      groupsClaim: 'groups',
      additionalScopes: [],
    })
  })

  test('rejects incomplete and invalid settings without quoting passwords', () => {
    const problems = problemsOf({
      QUAYSIDE_ADMIN_EMAIL: 'grace',
      QUAYSIDE_ADMIN_PASSWORD: 'short',
      QUAYSIDE_OIDC_ISSUER: 'https://id.example.com',
      QUAYSIDE_OIDC_ALLOWED_DOMAINS: 'example',
    })
    assert.match(problems, /QUAYSIDE_ADMIN_EMAIL must be an email address, not "grace"\./)
    assert.match(problems, /QUAYSIDE_ADMIN_PASSWORD must be 10 to 200 characters long\./)
    assert.match(
      problems,
      /QUAYSIDE_OIDC_ISSUER, QUAYSIDE_OIDC_CLIENT_ID, QUAYSIDE_OIDC_CLIENT_SECRET must be set/,
    )
    assert.match(problems, /QUAYSIDE_OIDC_ALLOWED_DOMAINS must be a comma-separated list of domains/)
    assert.doesNotMatch(problems, /short/)
    assert.match(problemsOf({ QUAYSIDE_ADMIN_EMAIL: 'a@b.c' }), /must be set together/)
    const insecure = {
      QUAYSIDE_OIDC_ISSUER: 'http://id.example.com',
      QUAYSIDE_OIDC_CLIENT_ID: 'quayside',
      QUAYSIDE_OIDC_CLIENT_SECRET: 'secret',
    }
    assert.match(problemsOf(insecure), /QUAYSIDE_OIDC_ISSUER must be an https URL/)
  })
})
