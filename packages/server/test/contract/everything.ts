import { randomBytes } from 'node:crypto'
import { startService, type Service, type Tenant } from '../harness.ts'
import { insertMember } from '../people.ts'
import { put, requestUpload, uploadedBuild, verify, versionOf } from '../uploading.ts'
import type { Json } from './shapes.ts'

type Everything = Awaited<ReturnType<typeof createEverything>>

/** An upload request with every optional field. */
export const fullRequest = {
  structure: 'file+expansion',
  platform: 'android',
  stream: 'nightlies',
  source: 'cli-upload',
  ...versionOf(4, 5, 6),
  version_component_extra: 'beta.2',
  version_component_meta: 'build.7',
  custom_build_number: 'B-4711 (night)',
  labels: ['Signed', 'shared'],
  architectures: ['arm64v8', 'x64'],
  ci_pipeline: 'release',
  ci_run_id: '77',
  ci_run_url: 'https://ci.example.com/77',
  ci_build_duration: '00:15:30',
  vc_host_type: 'git',
  vc_host: 'github',
  vc_repo_name: 'example/game',
  vc_repo_url: 'https://github.com/example/game',
  vc_branch: 'main',
  vc_commit_sha: '0123456789abcdef0123456789abcdef01234567',
  vc_commit_url: 'https://github.com/example/game/commit/0123456789abcdef0123456789abcdef01234567',
  notes: 'What is **new**',
}

/** Starts a service with an application that has one resource of every kind. */
export async function createEverything() {
  const service = await startService()
  const tenant = await service.tenant()
  const { applicationId, workspaceKey: key } = tenant
  const base = `/applications/${applicationId}`
  const get = async (path: string): Promise<Json> => ok(await service.call('GET', path, { key }))
  const post = async (path: string, body: object): Promise<Json> =>
    ok(await service.call('POST', path, { key, body })).data
  await service.call('PATCH', base, { key, body: { description: 'The game' } })
  await post('/workspace/labels', { name: 'shared', description: 'for all', color: '#12abEF' })
  const target = await post(`${base}/custom-targets`, {
    name: 'handheld',
    platform: 'android',
    description: 'ours',
  })
  await post('/workspace/custom-targets', { name: 'kiosk', platform: 'android' })

  const primary = randomBytes(1500)
  const expansion = randomBytes(500)
  const upload = await requestUpload(service, tenant, {
    ...fullRequest,
    custom_target: 'handheld',
    primary_file: { filename: 'game.apk', size_bytes: primary.length },
    expansion_files: [{ filename: 'main.1.com.example.game.obb', size_bytes: expansion.length }],
  })
  await put(upload.primary_file.presigned_data, primary)
  await put(upload.expansion_files[0].presigned_data, expansion)
  const verified = ok(await verify(service, tenant, upload.pending_upload_id))
  const artifact = await addArtifact(service, tenant, verified.build_id, randomBytes(64))
  const { build: bare } = await uploadedBuild(service, tenant)

  const release = await post(`${base}/releases`, {
    title: 'Spring',
    notes: '# Spring',
    labels: ['shared'],
    build_ids: [verified.build_id],
    ...versionOf(4, 5, 6),
    version_component_extra: 'rc.1',
  })
  const webhook = await post(`${base}/webhooks`, {
    url: 'https://example.com/hook',
    event: 'build.created.stream',
    stream: 'nightlies',
    description: 'to chat',
    secret: 'a secret of 32 characters or more',
  })
  const request = await post(`${base}/webhooks/${webhook.id}/test`, {})
  await insertMember(service, tenant, { name: 'Ada', applicationRole: 'qa' })
  return {
    service,
    tenant,
    base,
    key,
    get,
    post,
    upload,
    verified,
    artifact,
    bare,
    release,
    webhook,
    request,
    target,
    primary,
  }
}

/** Returns the body of a successful response. Throws if the request failed. */
export function ok(response: { status: number; body: Json; text: string }): Json {
  if (response.status >= 300) throw new Error(`${response.status} ${response.text}`)
  return response.body
}

async function addArtifact(service: Service, tenant: Tenant, buildId: string, bytes: Buffer): Promise<Json> {
  const key = tenant.applicationKey
  const input = { build_id: buildId, filename: 'notes.txt', size_bytes: bytes.length }
  const upload = ok(await service.call('POST', '/upload/metadata/request', { key, body: input }))
  await put(upload.presigned_upload_data, bytes)
  const body = { pending_upload_id: upload.metadata_pending_upload_id }
  return ok(await service.call('POST', '/upload/metadata/verify', { key, body }))
}

/** Reads resources of every kind, individually and in lists. */
export async function readEverything(all: Everything): Promise<Record<string, Json>> {
  const read: Record<string, Json> = {}
  const { base, get, verified, artifact, release, webhook, request, bare } = all
  const build = `${base}/builds/${verified.build_id}`
  read.application = (await get(base)).data
  read.applications = await get('/applications')
  read.members = (await get(`${base}/members`)).data
  read.platforms = (await get(`${base}/platforms`)).data
  read.streams = (await get(`${base}/streams`)).data
  read.defaultStreams = (await get('/workspace/default-streams')).data
  read.labels = (await get(`${base}/labels`)).data
  read.label = (await get('/workspace/labels/shared')).data
  read.target = (await get(`${base}/custom-targets/handheld`)).data
  read.targets = (await get(`${base}/custom-targets`)).data
  read.builds = (await get(`${base}/builds`)).data
  read.listed = read.builds.find(({ id }: Json) => id === verified.build_id)
  read.bare = read.builds.find(({ id }: Json) => id === bare.id)
  read.build = (await get(build)).data
  read.artifact = (await get(`${build}/metadata/${artifact.metadata_artifact_id}`)).data
  read.releases = (await get(`${base}/releases`)).data
  read.release = (await get(`${base}/releases/${release.id}`)).data
  read.webhooks = (await get(`${base}/webhooks`)).data
  read.webhook = (await get(`${base}/webhooks/${webhook.id}`)).data
  read.request = (await get(`${base}/webhooks/${webhook.id}/requests/${request.id}`)).data
  return read
}
