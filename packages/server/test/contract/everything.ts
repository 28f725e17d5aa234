import { randomBytes } from 'node:crypto'
import type { Service, Tenant } from '../harness.ts'
import { person } from '../people.ts'
import { put, requested, uploadedBuild, verify } from '../uploading.ts'
import type { Json } from './shapes.ts'

export type Everything = Awaited<ReturnType<typeof createEverything>>

export const versionOf = (major: number, minor = 0, patch = 0) => ({
  version_component_1_major: major,
  version_component_2_minor: minor,
  version_component_3_patch: patch,
})

/** What an upload may say, all of it. */
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

/** An application with one of everything, each read as the API answers it. */
export async function createEverything(service: Service) {
  const tenant = await service.tenant()
  const { applicationId, workspaceKey: key } = tenant
  const at = `/applications/${applicationId}`
  const get = async (path: string): Promise<Json> => ok(await service.call('GET', path, { key }))
  const post = async (path: string, body: object): Promise<Json> =>
    ok(await service.call('POST', path, { key, body })).data
  await service.call('PATCH', at, { key, body: { description: 'The game' } })
  await post('/workspace/labels', { name: 'shared', description: 'for all', color: '#12abEF' })
  const target = await post(`${at}/custom-targets`, {
    name: 'handheld',
    platform: 'android',
    description: 'ours',
  })
  await post('/workspace/custom-targets', { name: 'kiosk', platform: 'android' })

  const primary = randomBytes(1500)
  const expansion = randomBytes(500)
  const upload = await requested(service, tenant, {
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

  const release = await post(`${at}/releases`, {
    title: 'Spring',
    notes: '# Spring',
    labels: ['shared'],
    build_ids: [verified.build_id],
    ...versionOf(4, 5, 6),
    version_component_extra: 'rc.1',
  })
  const webhook = await post(`${at}/webhooks`, {
    url: 'https://example.com/hook',
    event: 'build.created.stream',
    stream: 'nightlies',
    description: 'to chat',
    secret: 'a secret of 32 characters or more',
  })
  const request = await post(`${at}/webhooks/${webhook.id}/test`, {})
  await person(service, tenant, { name: 'Ada', applicationRole: 'qa' })
  return {
    service,
    tenant,
    at,
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

/** The body of an answer that must be a success. */
export function ok(answer: { status: number; body: Json; text: string }): Json {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

async function addArtifact(service: Service, tenant: Tenant, buildId: string, bytes: Buffer): Promise<Json> {
  const key = tenant.applicationKey
  const wish = { build_id: buildId, filename: 'notes.txt', size_bytes: bytes.length }
  const upload = ok(await service.call('POST', '/upload/metadata/request', { key, body: wish }))
  await put(upload.presigned_upload_data, bytes)
  const body = { pending_upload_id: upload.metadata_pending_upload_id }
  return ok(await service.call('POST', '/upload/metadata/verify', { key, body }))
}

/** Everything as single reads and lists answer it. */
export async function readEverything(all: Everything): Promise<Record<string, Json>> {
  const read: Record<string, Json> = {}
  const { at, get, verified, artifact, release, webhook, request, bare } = all
  const build = `${at}/builds/${verified.build_id}`
  read.application = (await get(at)).data
  read.applications = await get('/applications')
  read.members = (await get(`${at}/members`)).data
  read.platforms = (await get(`${at}/platforms`)).data
  read.streams = (await get(`${at}/streams`)).data
  read.defaultStreams = (await get('/workspace/default-streams')).data
  read.labels = (await get(`${at}/labels`)).data
  read.label = (await get('/workspace/labels/shared')).data
  read.target = (await get(`${at}/custom-targets/handheld`)).data
  read.targets = (await get(`${at}/custom-targets`)).data
  read.builds = (await get(`${at}/builds`)).data
  read.listed = read.builds.find(({ id }: Json) => id === verified.build_id)
  read.bare = read.builds.find(({ id }: Json) => id === bare.id)
  read.build = (await get(build)).data
  read.artifact = (await get(`${build}/metadata/${artifact.metadata_artifact_id}`)).data
  read.releases = (await get(`${at}/releases`)).data
  read.release = (await get(`${at}/releases/${release.id}`)).data
  read.webhooks = (await get(`${at}/webhooks`)).data
  read.webhook = (await get(`${at}/webhooks/${webhook.id}`)).data
  read.request = (await get(`${at}/webhooks/${webhook.id}/requests/${request.id}`)).data
  return read
}
