import { randomBytes, randomUUID } from 'node:crypto'
import { listDefaultStreamsOf } from '../src/features/streams/default-stream.db.ts'
import { images } from '../src/inspection/images/image.fixture.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { hashSetupToken, saveSetupLink } from '../src/sign-in/setup-link.db.ts'
import { insertChunks } from './chunks.ts'
import { groupLink } from './distribution-groups.ts'
import { insertFeedbackOf } from './feedback.ts'
import type { Service, Tenant } from './harness.ts'
import { insertNotificationOf } from './notifications.ts'
import { startIssuer } from './oidc-issuer.ts'
import { insertAccessRequest, insertMember, insertTeam } from './people.ts'
import { publicPortal } from './portals.ts'
import { composeNewBytes, put, requestUpload, uploadedBuild, versionOf } from './uploading.ts'

/**
 * An application with one resource of every kind. `ids` contains the values of path and body parameters by name.
 * `workspaceIds` contains the values that differ for paths outside /applications/{application_id}.
 */
export type Fixture = Tenant & {
  ids: Record<string, string>
  workspaceIds: Record<string, string>
  /** The IDs and names in this fixture that each filter accepts, by filter name. */
  filters: Record<string, string[]>
  /** The session cookie of an owner of the workspace. */
  ownerSession: string
  /** Functions that generate values for body fields that are not IDs, by field name. */
  texts: Record<string, () => string>
}

/** Two applications in one workspace and one in another workspace. */
export type World = { own: Fixture; sibling: Fixture; foreign: Fixture }

/**
 * One platform per application that the other applications do not have, so that tests can send another tenant's
 * platform.
 */
const ownPlatforms = { own: 'playdate', sibling: 'kaios', foreign: 'roblox' }

export async function createWorld(service: Service): Promise<World> {
  const own = await populate(service, await service.tenant({ platforms: platformsOf('own') }), 'own')
  const sibling = await populate(service, await siblingOf(service, own), 'sibling')
  const tenant = await service.tenant({ platforms: platformsOf('foreign') })
  return { own, sibling, foreign: await populate(service, tenant, 'foreign') }
}

/** Creates an application like `own`, for calls that change or delete its resources. */
export async function createFixture(service: Service): Promise<Fixture> {
  return populate(service, await service.tenant({ platforms: platformsOf('own') }), 'own')
}

const platformsOf = (role: keyof World) => ['linux', 'android', ownPlatforms[role]]

async function siblingOf(service: Service, { workspaceId, workspaceKey }: Tenant): Promise<Tenant> {
  const body = { name: 'Sibling', platforms: platformsOf('sibling') }
  const response = await service.call('POST', '/applications', { key: workspaceKey, body })
  const applicationId = response.body.data.id as string
  const scopes = ['application:write', 'builds:write'] as const
  const applicationKey = await service.key(workspaceId, applicationId, scopes)
  return { workspaceId, workspaceKey, applicationId, applicationKey }
}

async function populate(service: Service, tenant: Tenant, role: keyof World): Promise<Fixture> {
  const { workspaceId, applicationId, workspaceKey } = tenant
  const { db } = service.deps
  const labelName = `label of ${applicationId}`
  const { build, pendingUploadId } = await uploadedBuild(service, tenant, { labels: [labelName] })
  const artifact = await metadataArtifact(service, tenant, build.id)
  await service.call('GET', `/applications/${applicationId}/builds/${build.id}/download`, {
    key: workspaceKey,
  })
  const open = await requestUpload(service, tenant, {
    platform: 'android',
    structure: 'file+expansion',
    primary_file: { filename: 'game.apk', size_bytes: 1000 },
    expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 1000 }],
  })
  await composeNewBytes(service, tenant, open.pending_upload_id, 1000)
  // The file matches the one in sampleBody, so that a sample request resumes this upload.
  const resumable = await requestUpload(service, tenant, {
    platform: 'linux',
    primary_file: { filename: 'app.tar.gz', size_bytes: 1 },
  })
  const target = { id: uuidV7(), name: `target of ${applicationId}`, platform: 'linux' }
  const owner = { workspace_id: workspaceId, application_id: applicationId }
  await db
    .insertInto('custom_targets')
    .values({ ...target, ...owner })
    .execute()
  const stream = { id: applicationId.slice(2), name: `stream of ${applicationId}` }
  await db
    .insertInto('streams')
    .values({ ...stream, application_id: applicationId })
    .execute()
  const [defaultStream] = await listDefaultStreamsOf(db, workspaceId)
  const release = await service.call('POST', `/applications/${applicationId}/releases`, {
    key: workspaceKey,
    body: { title: 'A release', ...versionOf(1), build_ids: [build.id] },
  })
  const shareLink = await service.call(
    'POST',
    `/applications/${applicationId}/builds/${build.id}/share-links`,
    { key: workspaceKey, body: {} },
  )
  const body = { name: 'a key', scopes: ['builds:read'] }
  const createKey = (path: string) => service.call('POST', path, { key: workspaceKey, body })
  const applicationKeyId = (await createKey(`/applications/${applicationId}/api-keys`)).body.data.id as string
  const workspaceKeyId = (await createKey('/workspace/api-keys')).body.data.id as string
  const labelId = build.labels[0].id as string
  const createShared = async (path: string, body: object) =>
    (await service.call('POST', path, { key: workspaceKey, body })).body.data.id as string
  const inWorkspace = `shared by ${applicationId}`
  const invited = { email: `invited.${applicationId}@example.com`, role: 'member' }
  const invitation = (
    await service.call('POST', '/workspace/invitations', { key: workspaceKey, body: invited })
  ).body.data as { id: string; token: string }
  const publisher = await trustedPublisher(service, tenant)
  const setupToken = `qss_${randomUUID()}`
  await saveSetupLink(service.deps.db, hashSetupToken(setupToken))
  const changes = await service.call('GET', `/applications/${applicationId}/changes?limit=1`, {
    key: workspaceKey,
  })
  const cursor = changes.body.cursor as string
  const defaults = await service.call('GET', '/workspace/default-streams', { key: workspaceKey })
  const ownerId = await insertMember(service, tenant, { workspaceRole: 'owner' })
  const userId = await insertMember(service, tenant, { applicationRole: 'qa' })
  const fixture: Fixture = {
    ...tenant,
    ownerSession: await service.signIn(ownerId, workspaceId),
    ids: {
      application_id: applicationId,
      workspace_id: workspaceId,
      build_id: build.id,
      base_build_id: build.id,
      ...(await insertChunks(service, build.primary_file.id as string)),
      release_id: release.body.data.id,
      share_link_id: shareLink.body.data.id,
      share_token: shareLink.body.data.url.split('/').at(-1),
      artifact_id: artifact.id,
      ...(await insertFeedbackOf(service, tenant, build.id)),
      ...(await insertNotificationOf(service, tenant, { userId: ownerId, buildId: build.id })),
      label_identifier: labelId,
      target_identifier: target.id,
      user_id: userId,
      team_id: await insertTeam(service, tenant, { members: [userId], role: 'qa' }),
      access_request_id: await insertAccessRequest(service, tenant),
      invitation_id: invitation.id,
      token: invitation.token,
      stream_identifier: stream.id,
      default_stream_id: defaultStream!.id,
      platform: ownPlatforms[role],
      permalink_platform: 'linux',
      permalink_stream_identifier: build.stream.id,
      permalink_release_version: '1.0.0',
      format: 'svg',
      pending_upload_id: open.pending_upload_id,
      resume_pending_upload_id: resumable.pending_upload_id,
      metadata_pending_upload_id: artifact.pendingUploadId,
      primary_pending_upload_id: pendingUploadId,
      api_key_id: applicationKeyId,
      ...(await webhook(service, tenant)),
      trusted_publisher_id: publisher.id,
      stream_id: stream.id,
      icon_id: await icon(service, tenant),
      avatar_id: 'AL.1',
      ...(await channel(service, tenant)),
      repository_key_id: await previousRepositoryKey(service, tenant),
      device_id: await createShared('/devices', { udid: randomBytes(20).toString('hex'), name: 'iPhone' }),
      view_id: await createShared(`/applications/${applicationId}/views`, {
        name: 'Linux',
        visibility: 'team',
        query: { platforms: 'linux' },
      }),
      portal_id: await publicPortal(service, tenant, release.body.data.id as string),
      ...(await distributionGroup(service, tenant, release.body.data.id as string)),
    },
    workspaceIds: {
      api_key_id: workspaceKeyId,
      default_stream_id: defaults.body.data[0].id,
      label_identifier: await createShared('/workspace/labels', { name: inWorkspace }),
      target_identifier: await createShared('/workspace/custom-targets', {
        name: inWorkspace,
        platform: 'linux',
      }),
    },
    filters: {
      streams: [stream.id, stream.name],
      move_to: [stream.id, stream.name],
      labels: [labelId, labelName],
      custom_targets: [target.id, target.name],
      build_id: [build.id],
      file_id: [build.primary_file.id],
      cursor: [cursor, cursor],
      application_id: [applicationId],
    },
    texts: { token: publisher.token, setup_token: () => setupToken },
  }
  for (const name of downloadFilters) fixture.filters[name] = [fixture.ids[name]!]
  return fixture
}

/** The filters of downloads that are also parameters of paths. */
const downloadFilters = [
  'release_id',
  'share_link_id',
  'distribution_group_id',
  'portal_id',
  'api_key_id',
  'user_id',
]

async function metadataArtifact(service: Service, tenant: Tenant, buildId: string) {
  const key = tenant.applicationKey
  const bytes = randomBytes(64)
  const input = { build_id: buildId, filename: 'notes.txt', size_bytes: bytes.length }
  const upload = await service.call('POST', '/upload/metadata/request', { key, body: input })
  const pendingUploadId = upload.body.metadata_pending_upload_id as string
  await put(upload.body.presigned_upload_data, bytes)
  const body = { pending_upload_id: pendingUploadId }
  const response = await service.call('POST', '/upload/metadata/verify', { key, body })
  if (response.status !== 200) throw new Error(response.text)
  const debugId = { kind: 'elf_build_id', id: 'c0ffee', role: 'executable' }
  await service.deps.db
    .insertInto('debug_ids')
    .values({ row_id: uuidV7(), build_id: buildId, position: 0, ...debugId })
    .execute()
  return { id: response.body.metadata_artifact_id as string, pendingUploadId }
}

async function webhook(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  const path = `/applications/${applicationId}/webhooks`
  const body = { url: 'https://example.com/hook', event: 'build.created' }
  const webhook_id = (await service.call('POST', path, { key, body })).body.data.id as string
  const request = await service.call('POST', `${path}/${webhook_id}/test`, { key })
  return { webhook_id, webhook_request_id: request.body.data.id as string }
}

/** Creates a channel of the releases with a read key. */
async function channel(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  const path = `/applications/${applicationId}/channels`
  const body = { name: 'Stable', formats: ['json'], access: 'read_keys' }
  const created = await service.call('POST', path, { key, body })
  if (created.status !== 201) throw new Error(created.text)
  const channel_id = created.body.data.id as string
  const readKeys = `${path}/${channel_id}/read-keys`
  const readKey = await service.call('POST', readKeys, { key, body: { name: 'Customer' } })
  const rollout = { version: '9.0.0', percentage: 5 }
  await service.call('PATCH', `${path}/${channel_id}/rollout`, { key, body: rollout })
  return { channel_id, read_key_id: readKey.body.data.id as string }
}

/** Creates two repository keys and returns the ID of the previous one, which can be deleted. */
async function previousRepositoryKey(service: Service, { workspaceKey: key }: Tenant): Promise<string> {
  const create = () => service.call('POST', '/workspace/repository-keys', { key, body: {} })
  const { status, body, text } = await create()
  if (status !== 201) throw new Error(text)
  await create()
  return body.data.id
}

/** Sets the application icon, whose URL is public. */
async function icon(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  const { base64: data, type: content_type } = images.png
  const body = { content_type, data }
  const response = await service.call('PUT', `/applications/${applicationId}/icon`, { key, body })
  if (response.status !== 200) throw new Error(response.text)
  return response.body.data.icon_url.split('/').at(-1) as string
}

/** Starts an issuer that the application trusts. */
async function trustedPublisher(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  // The issuer uses ES256, because generating an RSA key would double the time needed to create a fixture.
  const issuer = await startIssuer('ES256')
  const claims = { sub: `pipeline of ${applicationId}` }
  const body = { name: 'CI', issuer: issuer.url, claims, scopes: ['builds:create'] }
  const path = `/applications/${applicationId}/trusted-publishers`
  const response = await service.call('POST', path, { key, body })
  if (response.status !== 201) throw new Error(response.text)
  const { id, audience } = response.body.data as { id: string; audience: string }
  return { id, token: () => issuer.token({ ...claims, aud: audience }) }
}

/** Creates a distribution group whose only member has been notified of a release. */
async function distributionGroup(service: Service, tenant: Tenant, release_id: string) {
  const { applicationId, workspaceKey: key } = tenant
  const call = async (path: string, body: object) => {
    const response = await service.call('POST', `/distribution-groups${path}`, { key, body })
    if (response.status !== 201) throw new Error(response.text)
    return response.body
  }
  const distribution_group_id = (await call('', { name: `Testers of ${applicationId}` })).data.id as string
  const email = `tester.${applicationId}@example.com`
  const members = await call(`/${distribution_group_id}/members`, { emails: [email] })
  await call(`/${distribution_group_id}/releases`, { release_id, notify: true })
  const [group_link_id = '', group_link_token = ''] = (await groupLink(service, tenant, email))
    .split('/')
    .slice(-2)
  return { distribution_group_id, member_id: members.data[0].id as string, group_link_id, group_link_token }
}
