import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Scope } from '../../src/http/endpoint/scopes.ts'
import { startService } from '../harness.ts'
import { insertMember } from '../people.ts'
import { uploadBody, uploadedBuild, versionOf } from '../uploading.ts'
import { ok } from './everything.ts'

// This file tests what each scope allows. scope-lattice.test.ts tests that everything else is denied.
type Kind = 'workspace' | 'application'
type Call = readonly [method: string, path: string, body?: object]

const service = await startService()
const tenant = await service.tenant()
const base = `/applications/${tenant.applicationId}`
const buildPath = `${base}/builds/${(await uploadedBuild(service, tenant)).build.id}`
after(() => service.close())

const release = { title: 'R', ...versionOf(1) }
const webhook = { url: 'https://example.com/hook', event: 'build.created' }
const create = async (path: string, body: object): Promise<string> =>
  ok(await service.call('POST', path, { key: tenant.workspaceKey, body })).data.id

/** Asserts that a key with only this scope can make these calls. */
async function allows(kind: Kind, scope: Scope, calls: Call[]): Promise<void> {
  const applicationId = kind === 'workspace' ? null : tenant.applicationId
  const key = await service.key(tenant.workspaceId, applicationId, [scope])
  for (const [method, path, body] of calls) {
    const { status, text } = await service.call(method, path, { key, ...(body && { body }) })
    assert.ok(status < 300, `${kind} key with ${scope}: ${method} ${path}: ${status} ${text}`)
  }
}

async function allowsBuilds(kind: Kind): Promise<void> {
  const read = ['', '/download', '/metadata'].map((rest) => ['GET', `${buildPath}${rest}`] as const)
  const upload = ['POST', '/upload/request', uploadBody({ application_id: tenant.applicationId })] as const
  await allows(kind, 'builds:read', [['GET', `${base}/builds`], ...read])
  await allows(kind, 'builds:create', [['GET', `${base}/builds`], upload])
  await allows(kind, 'builds:write', [
    ['GET', buildPath],
    upload,
    ['PATCH', buildPath, { notes: 'x' }],
    ['PUT', `${buildPath}/labels`, { labels: ['a'] }],
    ['PUT', `${buildPath}/stream`, { stream: 'stable' }],
    ['PUT', `${buildPath}/architectures`, { architectures: ['x64'] }],
    ['DELETE', `${buildPath}?force=true`],
    ['POST', `${buildPath}/restore`],
  ])
}

async function allowsReleases(kind: Kind): Promise<void> {
  const path = `${base}/releases/${await create(`${base}/releases`, release)}`
  const list = ['GET', `${base}/releases`] as const
  await allows(kind, 'releases:read', [list, ['GET', path]])
  await allows(kind, 'releases:create', [list, ['POST', `${base}/releases`, release]])
  await allows(kind, 'releases:write', [
    list,
    ['POST', `${base}/releases`, release],
    ['PATCH', path, { title: 'x' }],
    ['PUT', `${path}/builds`, { build_ids: [] }],
    ['PUT', `${path}/labels`, { labels: ['a'] }],
    ['DELETE', path],
  ])
}

async function allowsShareLinks(kind: Kind): Promise<void> {
  const path = `${buildPath}/share-links`
  const id = await create(path, {})
  await allows(kind, 'share_links:read', [['GET', path]])
  await allows(kind, 'share_links:create', [['POST', path, {}]])
  await allows(kind, 'share_links:write', [['DELETE', `/share-links/${id}`]])
}

async function allowsWebhooks(kind: Kind): Promise<void> {
  const path = `${base}/webhooks/${await create(`${base}/webhooks`, webhook)}`
  await allows(kind, 'webhooks:read', [
    ['GET', `${base}/webhooks`],
    ['GET', path],
    ['GET', `${path}/requests`],
  ])
  await allows(kind, 'webhooks:create', [['POST', `${base}/webhooks`, webhook]])
  await allows(kind, 'webhooks:write', [
    ['PATCH', path, { is_active: false }],
    ['POST', `${path}/test`, {}],
    ['DELETE', path],
  ])
}

test('lets workspace keys with builds:* scopes view, upload, update and delete builds (§5 builds:read / create / write)', () =>
  allowsBuilds('workspace'))
test('lets workspace keys with releases:* scopes view, create, update and delete releases (§5 releases:read / create / write)', () =>
  allowsReleases('workspace'))
test('lets workspace keys with share_links:* scopes list, create and delete share links (§5 share_links:read / create / write)', () =>
  allowsShareLinks('workspace'))
test('lets workspace keys with webhooks:* scopes view, create, update and delete webhooks (§5 webhooks:read / create / write)', () =>
  allowsWebhooks('workspace'))

test('lets application keys access the builds, releases, share links and webhooks of their own application (§5 application builds, releases, share_links, webhooks)', async () => {
  await allowsBuilds('application')
  await allowsReleases('application')
  await allowsShareLinks('application')
  await allowsWebhooks('application')
})

test('lets workspace keys with workspace:read list labels, default streams and custom targets (§5 workspace:read)', () =>
  allows('workspace', 'workspace:read', [
    ['GET', '/workspace/labels'],
    ['GET', '/workspace/default-streams'],
    ['GET', '/workspace/custom-targets'],
  ]))

test('lets workspace keys with members:read list the members of the workspace (§5 members:read)', () =>
  allows('workspace', 'members:read', [['GET', '/workspace/members']]))

test('lets workspace keys with applications:* scopes view, create and update applications (§5 applications:read / create / write)', async () => {
  await allows('workspace', 'applications:read', [
    ['GET', '/applications'],
    ['GET', base],
    ...['streams', 'labels', 'platforms', 'members'].map((noun) => ['GET', `${base}/${noun}`] as const),
  ])
  await allows('workspace', 'applications:create', [['POST', '/applications', { name: 'Created' }]])
  await allows('workspace', 'applications:write', [
    ['PATCH', base, { description: 'x' }],
    ['POST', `${base}/streams`, { name: 'by applications:write' }],
    ['POST', `${base}/labels`, { name: 'by applications:write' }],
    ['PUT', `${base}/platforms`, { platforms: ['generic', 'linux', 'android', 'ios', 'windows'] }],
  ])
})

test('lets workspace keys with distribution_groups:* scopes view, create, update and delete distribution groups (§5 distribution_groups:read / create / write)', async () => {
  const path = `/distribution-groups/${await create('/distribution-groups', { name: 'Testers' })}`
  const release_id = await create(`${base}/releases`, release)
  await allows('workspace', 'distribution_groups:read', [
    ['GET', '/distribution-groups'],
    ['GET', path],
  ])
  await allows('workspace', 'distribution_groups:create', [
    ['POST', '/distribution-groups', { name: 'Created' }],
  ])
  await allows('workspace', 'distribution_groups:write', [
    ['PATCH', path, { name: 'Renamed' }],
    ['POST', `${path}/releases`, { release_id, notify: false }],
    ['DELETE', path],
  ])
})

test('lets workspace keys with portals:* scopes view, update and delete portals (§5 portals:read / write)', async () => {
  const path = `/portals/${await create('/portals', { name: 'Portal' })}`
  const release_id = await create(`${base}/releases`, release)
  await allows('workspace', 'portals:read', [
    ['GET', '/portals'],
    ['GET', path],
    ['GET', `${path}/releases`],
  ])
  const modes = { streams_mode: 'none', releases_mode: 'selective' }
  await allows('workspace', 'portals:write', [
    ['PATCH', path, { name: 'Renamed' }],
    ['PUT', `${path}/applications/${tenant.applicationId}`, modes],
    ['POST', `${path}/releases`, { release_id }],
    ['DELETE', `${path}/releases/${release_id}`],
    ['DELETE', path],
  ])
})

test('lets application keys with application:* scopes view and update their own application (§5 application:read / application:write)', async () => {
  const details = ['', '/streams', '/labels', '/platforms'].map((rest) => ['GET', `${base}${rest}`] as const)
  await allows('application', 'application:read', details)
  await allows('application', 'application:write', [['PATCH', base, { description: 'x' }]])
  await allows('application', 'builds:read', [
    ['GET', base],
    ['GET', '/applications'],
  ])
})

test('lets application keys with members:* scopes list members and update their roles (§5 application members:read / members:write / members:create)', async () => {
  const id = await insertMember(service, tenant, { applicationRole: 'qa' })
  await allows('application', 'members:read', [['GET', `${base}/members`]])
  await allows('application', 'members:write', [['PATCH', `${base}/members/${id}`, { role: 'developer' }]])
})
