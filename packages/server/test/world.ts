import { randomBytes } from 'node:crypto'
import { listDefaultStreams } from '../src/features/streams/default-stream.db.ts'
import { images } from '../src/formats/image.fixture.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { groupLink } from './distribution-groups.ts'
import type { Service, Tenant } from './harness.ts'
import { startIssuer } from './oidc-issuer.ts'
import { person } from './people.ts'
import { put, requested, uploadedBuild } from './uploading.ts'

/**
 * One application with one real thing of every kind. `ids` are what path and body parameters of that name may be
 * given; where the name means another thing outside /applications/{application_id}, `workspaceIds` has that one.
 */
export type Place = Tenant & {
  ids: Record<string, string>
  workspaceIds: Record<string, string>
  /** What filters of that name may be given: ids and names of this place alone. */
  filters: Record<string, string[]>
  /** Values of fields of bodies that are no ids, made anew for each call. */
  texts: Record<string, () => string>
}

/** Everything an endpoint could be told about: two applications of a workspace and one of another. */
export type World = { own: Place; sibling: Place; foreign: Place }

/** Slugs that only this application has attached, so that a platform can be a foreign one too. */
const ownPlatforms = { own: 'playdate', sibling: 'kaios', foreign: 'roblox' }

export async function createWorld(service: Service): Promise<World> {
  const own = await place(service, await service.tenant({ platforms: platformsOf('own') }), 'own')
  const sibling = await place(service, await siblingOf(service, own), 'sibling')
  const tenant = await service.tenant({ platforms: platformsOf('foreign') })
  return { own, sibling, foreign: await place(service, tenant, 'foreign') }
}

/** A new application like `own`, for calls that spend what they are given. */
export async function createPlace(service: Service): Promise<Place> {
  return place(service, await service.tenant({ platforms: platformsOf('own') }), 'own')
}

const platformsOf = (who: keyof World) => ['linux', 'android', ownPlatforms[who]]

async function siblingOf(service: Service, { workspaceId, workspaceKey }: Tenant): Promise<Tenant> {
  const body = { name: 'Sibling', platforms: platformsOf('sibling') }
  const answer = await service.call('POST', '/applications', { key: workspaceKey, body })
  const applicationId = answer.body.data.id as string
  const scopes = ['application:write', 'builds:write'] as const
  const applicationKey = await service.key(workspaceId, applicationId, scopes)
  return { workspaceId, workspaceKey, applicationId, applicationKey }
}

async function place(service: Service, tenant: Tenant, who: keyof World): Promise<Place> {
  const { workspaceId, applicationId, workspaceKey } = tenant
  const { db } = service.deps
  const labelName = `label of ${applicationId}`
  const { build, pendingUploadId } = await uploadedBuild(service, tenant, { labels: [labelName] })
  const artifact = await metadataArtifact(service, tenant, build.id)
  await service.call('GET', `/applications/${applicationId}/builds/${build.id}/download`, {
    key: workspaceKey,
  })
  const open = await requested(service, tenant, {
    platform: 'android',
    structure: 'file+expansion',
    primary_file: { filename: 'game.apk', size_bytes: 1000 },
    expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 1000 }],
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
  const [defaultStream] = await listDefaultStreams(db, workspaceId)
  const release = await service.call('POST', `/applications/${applicationId}/releases`, {
    key: workspaceKey,
    body: {
      title: 'A release',
      version_component_1_major: 1,
      version_component_2_minor: 0,
      version_component_3_patch: 0,
      build_ids: [build.id],
    },
  })
  const shareLink = await service.call(
    'POST',
    `/applications/${applicationId}/builds/${build.id}/share-links`,
    { key: workspaceKey, body: {} },
  )
  const body = { name: 'a key', scopes: ['builds:read'] }
  const keyAt = (path: string) => service.call('POST', path, { key: workspaceKey, body })
  const applicationKeyId = (await keyAt(`/applications/${applicationId}/api-keys`)).body.data.id as string
  const workspaceKeyId = (await keyAt('/workspace/api-keys')).body.data.id as string
  const labelId = build.labels[0].id as string
  const shared = async (path: string, body: object) =>
    (await service.call('POST', path, { key: workspaceKey, body })).body.data.id as string
  const inWorkspace = `shared by ${applicationId}`
  const invited = { email: `invited.${applicationId}@example.com`, role: 'member' }
  const invitation = (
    await service.call('POST', '/workspace/invitations', { key: workspaceKey, body: invited })
  ).body.data as { id: string; token: string }
  const trusted = await trustedPublisher(service, tenant)
  const defaults = await service.call('GET', '/workspace/default-streams', { key: workspaceKey })
  return {
    ...tenant,
    ids: {
      application_id: applicationId,
      build_id: build.id,
      release_id: release.body.data.id,
      share_link_id: shareLink.body.data.id,
      share_token: shareLink.body.data.url.split('/').at(-1),
      artifact_id: artifact.id,
      label_identifier: labelId,
      target_identifier: target.id,
      user_id: await person(service, tenant, { applicationRole: 'qa' }),
      invitation_id: invitation.id,
      token: invitation.token,
      stream_identifier: stream.id,
      default_stream_id: defaultStream!.id,
      platform: ownPlatforms[who],
      pending_upload_id: open.pending_upload_id,
      metadata_pending_upload_id: artifact.pendingUploadId,
      primary_pending_upload_id: pendingUploadId,
      api_key_id: applicationKeyId,
      ...(await webhook(service, tenant)),
      trusted_publisher_id: trusted.id,
      stream_id: stream.id,
      icon_id: await icon(service, tenant),
      portal_id: await portal(service, tenant, release.body.data.id as string),
      ...(await distributionGroup(service, tenant, release.body.data.id as string)),
    },
    workspaceIds: {
      api_key_id: workspaceKeyId,
      default_stream_id: defaults.body.data[0].id,
      label_identifier: await shared('/workspace/labels', { name: inWorkspace }),
      target_identifier: await shared('/workspace/custom-targets', { name: inWorkspace, platform: 'linux' }),
    },
    filters: {
      streams: [stream.id, stream.name],
      move_to: [stream.id, stream.name],
      labels: [labelId, labelName],
      custom_targets: [target.id, target.name],
      build_id: [build.id],
      file_id: [build.primary_file.id],
    },
    texts: { token: trusted.token },
  }
}

async function metadataArtifact(service: Service, tenant: Tenant, buildId: string) {
  const key = tenant.applicationKey
  const bytes = randomBytes(64)
  const wish = { build_id: buildId, filename: 'notes.txt', size_bytes: bytes.length }
  const upload = await service.call('POST', '/upload/metadata/request', { key, body: wish })
  const pendingUploadId = upload.body.metadata_pending_upload_id as string
  await put(upload.body.presigned_upload_data, bytes)
  const body = { pending_upload_id: pendingUploadId }
  const answer = await service.call('POST', '/upload/metadata/verify', { key, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return { id: answer.body.metadata_artifact_id as string, pendingUploadId }
}

async function webhook(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  const path = `/applications/${applicationId}/webhooks`
  const body = { url: 'https://example.com/hook', event: 'build.created' }
  const webhook_id = (await service.call('POST', path, { key, body })).body.data.id as string
  const request = await service.call('POST', `${path}/${webhook_id}/test`, { key })
  return { webhook_id, webhook_request_id: request.body.data.id as string }
}

/** The icon of the application, known by its URL to everybody. */
async function icon(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  const { base64: data, type: content_type } = images.png
  const body = { content_type, data }
  const answer = await service.call('PUT', `/applications/${applicationId}/icon`, { key, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data.icon_url.split('/').at(-1) as string
}

/** A portal that shows the application and has published one of its releases. */
async function portal(service: Service, { applicationId, workspaceKey: key }: Tenant, release_id: string) {
  const id = (await service.call('POST', '/portals', { key, body: { name: 'Portal' } })).body.data
    .id as string
  const modes = { streams_mode: 'all', releases_mode: 'selective' }
  await service.call('PUT', `/portals/${id}/applications/${applicationId}`, { key, body: modes })
  const published = await service.call('POST', `/portals/${id}/releases`, { key, body: { release_id } })
  if (published.status !== 201) throw new Error(published.text)
  return id
}

/** An issuer that the application trusts, and tokens of it. */
async function trustedPublisher(service: Service, { applicationId, workspaceKey: key }: Tenant) {
  const issuer = await startIssuer()
  const claims = { sub: `pipeline of ${applicationId}` }
  const body = { name: 'CI', issuer: issuer.url, claims, scopes: ['builds:create'] }
  const path = `/applications/${applicationId}/trusted-publishers`
  const answer = await service.call('POST', path, { key, body })
  if (answer.status !== 201) throw new Error(answer.text)
  const { id, audience } = answer.body.data as { id: string; audience: string }
  return { id, token: () => issuer.token({ ...claims, aud: audience }) }
}

/** A distribution group with one member, who was told of one of its releases. */
async function distributionGroup(service: Service, tenant: Tenant, release_id: string) {
  const { applicationId, workspaceKey: key } = tenant
  const call = async (path: string, body: object) => {
    const answer = await service.call('POST', `/distribution-groups${path}`, { key, body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
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
