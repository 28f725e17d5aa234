import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient } from '@quayside/sdk'
import { startIssuer } from '../../server/test/oidc-issuer.ts'
import type { Issuer } from '../../server/test/oidc-issuer.ts'
import { createOidcKey } from '../src/oidc/oidc-key.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { runQuayside } from './run-quayside.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

const mib = 1024 * 1024
const orgId = '0d9c3c5e-8a41-4d2b-9c55-0f6c9b0a7f11'
let service: Service
let issuer: Issuer
let applicationId: string

before(async () => {
  service = await startService({ QUAYSIDE_ISSUER_ALLOW_PRIVATE: '127.0.0.0/8' })
  issuer = await startIssuer()
  applicationId = (await jsonInProcess<{ id: string }>(service, ['applications', 'create', 'App'])).id
  await createPublisher({ name: 'Release workflow' })
  await createPublisher({ name: 'CircleCI', audience: orgId })
})

after(async () => {
  await service?.close()
  await issuer?.close()
})

const claims = { repository: 'acme/app', ref: 'refs/heads/main' }

async function callAdmin(method: string, path: string, body?: object) {
  const response = await fetch(`${service.directUrl}/api/v1/applications/${applicationId}${path}`, {
    method,
    headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return (await response.json()) as { data: { id: string; name: string }[] }
}

const createPublisher = (fields: object) =>
  callAdmin('POST', '/trusted-publishers', {
    issuer: issuer.url,
    claims,
    scopes: ['builds:create'],
    ...fields,
  })

/** Revokes the keys that were issued to CI runs and returns their number. */
async function revokePublisherKeys(): Promise<number> {
  const { data } = await callAdmin('GET', '/api-keys')
  const issued = data.filter(({ name }) => name.includes('repo:acme/app'))
  for (const { id } of issued) await callAdmin('DELETE', `/api-keys/${id}`)
  return issued.length
}

const idToken = (fields: object = {}, options = {}) =>
  issuer.token({ sub: 'repo:acme/app', ...claims, aud: service.url, ...fields }, options)

/** Returns the environment of a GitHub Actions job whose token endpoint the issuer provides. */
function actionsEnv(): Record<string, string> {
  const path = '/actions-token?api-version=2.0'
  issuer.responses[`${path}&audience=${encodeURIComponent(service.url)}`] = (request, response) => {
    if (request.headers.authorization === 'bearer request-token') issuer.json(response, { value: idToken() })
    else response.writeHead(401).end()
  }
  return {
    QUAYSIDE_API_KEY: '',
    QUAYSIDE_APPLICATION: applicationId,
    GITHUB_ACTIONS: 'true',
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}${path}`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
  }
}

async function randomFile(name: string, sizeBytes: number): Promise<string> {
  const path = join(service.folder, name)
  await writeFile(path, randomBytes(sizeBytes))
  return path
}

test('uploads from GitHub Actions without an API key', async () => {
  const path = await randomFile('app-1.0.0.bin', 100)
  const result = await runQuayside(service, ['upload', path], { env: actionsEnv() })
  assert.equal(result.code, 0, result.stderr)
})

test('renews the key during an upload when the server no longer accepts it', async () => {
  const path = await randomFile('app-2.0.0.bin', 25 * mib)
  const reached = service.gate.holdAfter(12 * mib)
  const running = runInProcess(service, ['upload', path], { env: actionsEnv() })
  await reached
  assert.ok((await revokePublisherKeys()) > 0)
  service.gate.release()
  const { code, stderr } = await running
  assert.equal(code, 0, stderr)
  assert.ok((await revokePublisherKeys()) > 0, 'the upload did not request another key')
})

test('requests only one new key for parallel requests, two minutes before the current key expires', async () => {
  let nowMs = 0
  const key = createOidcKey({
    server: service.url,
    application: applicationId,
    env: actionsEnv(),
    userAgent: 'test/1',
    signal: AbortSignal.timeout(60_000),
    nowMs: () => nowMs,
  })
  const [first, parallel] = await Promise.all([key(), key()])
  assert.equal(first, parallel)
  nowMs = 12.9 * 60_000
  assert.equal(await key(), first)
  nowMs = 13.1 * 60_000
  const second = await key()
  assert.notEqual(second, first)
  assert.equal(await key(first), second)
  assert.notEqual(await key(second), second)
  const client = createClient({ baseUrl: service.url, apiKey: key })
  assert.equal((await client.getApplication({ application_id: applicationId })).data.id, applicationId)
})

test('uses the key until it expires when the job token can no longer be exchanged, then explains why', async () => {
  const env = { QUAYSIDE_ID_TOKEN: idToken() }
  let nowMs = 0
  const signal = AbortSignal.timeout(60_000)
  const options = { server: service.url, application: applicationId, userAgent: 'test/1', signal }
  const key = createOidcKey({ ...options, env, nowMs: () => nowMs })
  const first = await key()
  env.QUAYSIDE_ID_TOKEN = idToken({}, { now: Date.now() - 10 * 60_000 })
  nowMs = 14 * 60_000
  assert.equal(await key(), first)
  nowMs = 16 * 60_000
  await assert.rejects(
    key(),
    /cannot be renewed, because QUAYSIDE_ID_TOKEN contains one token for the whole job/,
  )
})

test('uses tokens from GitLab CI, CircleCI and Buildkite', async () => {
  const bin = join(service.folder, 'bin')
  await mkdir(bin)
  const agent = `#!/bin/sh\n[ "$*" = "oidc request-token --audience ${service.url}" ] && echo '${idToken()}'\n`
  await writeFile(join(bin, 'buildkite-agent'), agent)
  await chmod(join(bin, 'buildkite-agent'), 0o755)
  const environments: Record<string, string>[] = [
    { QUAYSIDE_ID_TOKEN: idToken() },
    { CIRCLE_OIDC_TOKEN_V2: idToken({ aud: orgId }) },
    { BUILDKITE_AGENT_ACCESS_TOKEN: 'x', PATH: `${bin}:${process.env['PATH']}` },
  ]
  for (const env of environments) {
    const args = ['builds', 'list', '--application', applicationId]
    const { code, stderr } = await runInProcess(service, args, { env: { ...env, QUAYSIDE_API_KEY: '' } })
    assert.equal(code, 0, `${Object.keys(env)[0]}: ${stderr}`)
  }
})

test('explains why OIDC authentication failed', async () => {
  const path = await randomFile('app-3.0.0.bin', 100)
  const actions = actionsEnv()
  const untrusted = idToken({ repository: 'acme/other' })
  const table: [string[], Record<string, string>, number, RegExp][] = [
    [['--oidc'], { GITHUB_ACTIONS: 'true' }, 3, /permissions: \{ id-token: write \}/],
    [['--oidc'], {}, 3, /set QUAYSIDE_ID_TOKEN/],
    [['--oidc', '--key', 'qsa_x'], {}, 2, /either --key or --oidc/],
    [[], { ...actions, QUAYSIDE_APPLICATION: 'App' }, 2, /requires the ID of the application/],
    [[], { ...actions, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' }, 3, /did not issue an OIDC token \(HTTP 401\)/],
    [
      [],
      { QUAYSIDE_APPLICATION: applicationId, QUAYSIDE_ID_TOKEN: untrusted },
      3,
      /QUAYSIDE_ID_TOKEN: No application with this ID trusts/,
    ],
  ]
  for (const [args, env, code, message] of table) {
    const result = await runInProcess(service, ['upload', path, ...args], {
      env: { QUAYSIDE_API_KEY: '', ...env },
    })
    assert.equal(result.code, code, result.stderr)
    assert.match(result.stderr, message)
  }
})
