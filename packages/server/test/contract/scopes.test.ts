import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../harness.ts'
import { requested, uploadBody, uploadedBuild } from '../uploading.ts'
import { allows } from './deeds.ts'
import { ok, versionOf } from './everything.ts'
import type { Json } from './shapes.ts'

let service: Service
let tenant: Tenant
let other: Tenant
let at: string
let build: Json

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  other = await service.tenant()
  at = `/applications/${tenant.applicationId}`
  ;({ build } = await uploadedBuild(service, tenant))
})
after(() => service.close())

const release = { title: 'R', ...versionOf(1) }
const hook = { url: 'https://example.com/hook', event: 'build.created' }
const made = async (path: string, body: object): Promise<string> =>
  ok(await service.call('POST', path, { key: tenant.workspaceKey, body })).data.id

const buildScopes = async (kind: 'workspace' | 'application') => {
  const path = `${at}/builds/${build.id}`
  await allows(
    service,
    tenant,
    ['builds:read'],
    [
      ['GET', `${at}/builds`],
      ['GET', path],
      ['GET', `${path}/download`],
      ['GET', `${path}/metadata`],
    ],
    [
      ['POST', '/upload/request', uploadBody({ application_id: tenant.applicationId }), 'builds:create'],
      ['PATCH', path, { notes: 'x' }, 'builds:write'],
    ],
    kind,
  )
  await allows(
    service,
    tenant,
    ['builds:create'],
    [['POST', '/upload/request', uploadBody({ application_id: tenant.applicationId })]],
    [
      ['DELETE', path, undefined, 'builds:write'],
      ['PUT', `${path}/labels`, { labels: [] }, 'builds:write'],
    ],
    kind,
  )
  await allows(
    service,
    tenant,
    ['builds:write'],
    [
      ['PATCH', path, { notes: 'x' }],
      ['PUT', `${path}/labels`, { labels: ['a'] }],
      ['PUT', `${path}/stream`, { stream: 'stable' }],
      ['PUT', `${path}/architectures`, { architectures: ['x64'] }],
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ],
    [],
    kind,
  )
}

const releaseScopes = async (kind: 'workspace' | 'application') => {
  const path = `${at}/releases/${await made(`${at}/releases`, release)}`
  await allows(
    service,
    tenant,
    ['releases:read'],
    [
      ['GET', `${at}/releases`],
      ['GET', path],
    ],
    [
      ['POST', `${at}/releases`, release, 'releases:create'],
      ['PATCH', path, { title: 'x' }, 'releases:write'],
    ],
    kind,
  )
  await allows(
    service,
    tenant,
    ['releases:create'],
    [['POST', `${at}/releases`, release]],
    [
      ['DELETE', path, undefined, 'releases:write'],
      ['PUT', `${path}/builds`, { build_ids: [] }, 'releases:write'],
    ],
    kind,
  )
  await allows(
    service,
    tenant,
    ['releases:write'],
    [
      ['PATCH', path, { title: 'x' }],
      ['PUT', `${path}/builds`, { build_ids: [build.id] }],
      ['PUT', `${path}/labels`, { labels: ['a'] }],
      ['DELETE', path],
    ],
    [],
    kind,
  )
}

const shareLinkScopes = async (kind: 'workspace' | 'application') => {
  const path = `${at}/builds/${build.id}/share-links`
  const id = await made(path, {})
  await allows(
    service,
    tenant,
    ['share_links:read'],
    [['GET', path]],
    [['POST', path, {}, 'share_links:create']],
    kind,
  )
  await allows(
    service,
    tenant,
    ['share_links:create'],
    [['POST', path, {}]],
    [['DELETE', `/share-links/${id}`, undefined, 'share_links:write']],
    kind,
  )
  await allows(service, tenant, ['share_links:write'], [['DELETE', `/share-links/${id}`]], [], kind)
}

const webhookScopes = async (kind: 'workspace' | 'application') => {
  const path = `${at}/webhooks/${await made(`${at}/webhooks`, hook)}`
  await allows(
    service,
    tenant,
    ['webhooks:read'],
    [
      ['GET', `${at}/webhooks`],
      ['GET', path],
      ['GET', `${path}/requests`],
    ],
    [['POST', `${at}/webhooks`, hook, 'webhooks:create']],
    kind,
  )
  await allows(
    service,
    tenant,
    ['webhooks:create'],
    [['POST', `${at}/webhooks`, hook]],
    [
      ['PATCH', path, { is_active: false }, 'webhooks:write'],
      ['POST', `${path}/test`, {}, 'webhooks:write'],
    ],
    kind,
  )
  await allows(
    service,
    tenant,
    ['webhooks:write'],
    [
      ['PATCH', path, { is_active: false }],
      ['POST', `${path}/test`, {}],
      ['DELETE', path],
    ],
    [],
    kind,
  )
}

test('§5 builds:read / create / write', () => buildScopes('workspace'))
test('§5 releases:read / create / write', () => releaseScopes('workspace'))
test('§5 share_links:read / create / write', () => shareLinkScopes('workspace'))
test('§5 webhooks:read / create / write', () => webhookScopes('workspace'))

test('§5 application builds, releases, share_links, webhooks', async () => {
  await buildScopes('application')
  await releaseScopes('application')
  await shareLinkScopes('application')
  await webhookScopes('application')
  const upload = await requested(service, tenant)
  assert.equal(
    (await service.call('GET', `/upload/${upload.pending_upload_id}`, { key: other.applicationKey })).status,
    404,
  )
})
