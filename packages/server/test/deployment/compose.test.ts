import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { assertAcceptedSettings } from './accepted-settings.ts'
import {
  compose,
  composeText,
  example,
  filledIn,
  interpolate,
  quaysideServices,
  secrets,
} from './compose-file.ts'
import { deployFolder, exampleSecret } from './deploy-files.ts'

const services = Object.entries(compose.services)

test('matches the schema of the Compose specification', async () => {
  const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'))
  const schema = await readFile(join(folder, 'schemas/compose.schema.json'), 'utf8')
  // Ajv knows the meta schema only by its http URL.
  const supported = schema.replace('https://json-schema.org/draft-07', 'http://json-schema.org/draft-07')
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(supported) as object)
  assert.ok(validate(compose), JSON.stringify(validate.errors, undefined, 2))
  assert.ok(!validate({ ...compose, services: { api: { image: 'quayside', restarts: 'always' } } }))
})

test('gives each container of Quayside settings that the server accepts', () => {
  const roles = quaysideServices.map(([name, { environment }]) => [name, environment?.['QUAYSIDE_ROLE']])
  assert.deepEqual(Object.fromEntries(roles), {
    'storage-setup': undefined,
    'api-1': 'api',
    'api-2': 'api',
    worker: 'worker',
  })
  for (const [name, { environment = {} }] of quaysideServices) {
    const values = Object.entries(environment).map(([key, value]) => [key, interpolate(value, filledIn)])
    assertAcceptedSettings(name, Object.fromEntries(values) as Record<string, string>)
  }
})

test('requires a value for every secret and documents every variable', () => {
  const used = [...composeText.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  assert.deepEqual(
    [...new Set(used), 'QUAYSIDE_IMAGE'].filter((name) => !(name in example)),
    ['QUAYSIDE_IMAGE', 'QUAYSIDE_IMAGE'],
  )
  assert.deepEqual(
    Object.keys(example).filter((name) => !used.includes(name)),
    [],
  )
  for (const [name] of secrets)
    assert.throws(() => interpolate(composeText, { ...filledIn, [name]: '' }), {
      message: `Set ${name} in .env.`,
    })
  assert.deepEqual(secrets.map(([name]) => name).toSorted(), [
    'POSTGRES_PASSWORD',
    'QUAYSIDE_ADMIN_PASSWORD',
    'QUAYSIDE_SECRET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ])
})

test('checks the health of every service that keeps running, and starts it after its dependencies', () => {
  for (const [name, service] of services) {
    const { healthcheck, depends_on = {}, restart } = service
    const keepsRunning = restart === 'unless-stopped'
    assert.equal(healthcheck?.test !== undefined, keepsRunning, name)
    for (const [dependency, { condition }] of Object.entries(depends_on)) {
      const isService = compose.services[dependency]?.restart === 'unless-stopped'
      const expected = isService ? 'service_healthy' : 'service_completed_successfully'
      assert.equal(condition, expected, `${name}: ${dependency}`)
    }
  }
})

test('refers only to volumes, networks and configurations that it declares', () => {
  for (const [name, { volumes = [], networks, configs = [] }] of services) {
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      if (!source.startsWith('./')) assert.ok(source in compose.volumes, `${name}: ${source}`)
    for (const network of Array.isArray(networks) ? networks : Object.keys(networks))
      assert.ok(network in compose.networks, `${name}: ${network}`)
    for (const { source } of configs) assert.ok(source in compose.configs, `${name}: ${source}`)
  }
  const identities = JSON.parse(interpolate(compose.configs['s3']?.content ?? '', filledIn)) as object
  assert.ok(JSON.stringify(identities).includes(exampleSecret))
})

test('runs Quayside without privileges and with a read-only root folder', () => {
  for (const [name, service] of quaysideServices) {
    const { read_only, cap_drop, security_opt } = service as unknown as Record<string, unknown>
    assert.deepEqual(
      { read_only, cap_drop, security_opt },
      {
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      },
      name,
    )
  }
})

test('has a valid configuration of Caddy that refers to the services', (t) => {
  const path = join(deployFolder, 'caddy/compose.Caddyfile')
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', ...filledIn }
  const { error, status, stdout, stderr } = spawnSync('caddy', ['adapt', '--config', path], {
    env,
    encoding: 'utf8',
  })
  if (error !== undefined) return t.skip('needs Caddy')
  assert.equal(status, 0, stderr)
  const upstreams = [...stdout.matchAll(/"dial":"([^:"]+):/g)].map(([, host = '']) => host)
  assert.deepEqual(upstreams.toSorted(), ['api-1', 'api-2', 's3'])
  const hosts = [...stdout.matchAll(/"host":\["([^"]+)"\]/g)].map(([, host = '']) => host)
  assert.deepEqual(hosts.toSorted(), ['builds.example.com', 'files.example.com'])
})
