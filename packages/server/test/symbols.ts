import { reinspectArtifacts } from '../src/features/builds/artifacts/inspect-artifact.job.ts'
import type { Service, Tenant } from './harness.ts'
import { until } from './until.ts'
import { put } from './uploading.ts'

/** Adds an R8 mapping to a build, and waits until the server has read its debug ID. */
export async function addMapping(service: Service, tenant: Tenant, buildId: string): Promise<void> {
  const mapping = Buffer.from('# compiler: R8\n# pg_map_id: 7fa4c6e\ncom.example.App -> a.a:\n')
  const post = (path: string, body: object) =>
    service.call('POST', path, { key: tenant.applicationKey, body })
  const request = { build_id: buildId, filename: 'mapping.txt', size_bytes: mapping.length }
  const { body } = await post('/upload/metadata/request', request)
  await put(body.presigned_upload_data, mapping)
  await post('/upload/metadata/verify', { pending_upload_id: body.metadata_pending_upload_id })
  await until('the debug ID of the mapping', async () => (await debugIdsOf(service, buildId)).length > 0)
}

export const debugIdsOf = (service: Service, buildId: string) =>
  service.deps.db.selectFrom('debug_ids').select(['kind', 'id']).where('build_id', '=', buildId).execute()

/** Reads the artifacts of a build that this server has not inspected. */
export async function inspectArtifactsAgain({ deps }: Service, buildId: string): Promise<void> {
  await reinspectArtifacts(deps, buildId, new AbortController().signal)
}
