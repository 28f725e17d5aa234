import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId, BuildId, Nullable } from '../../../http/endpoint/fields.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { DebugId } from '../../../inspection/inspection-schema.ts'
import type { DebugId as DebugIdValue } from '../../../inspection/inspection.ts'
import { requireBuildOfPath } from '../build.db.ts'
import { listDebugIds } from './debug-id.db.ts'

const BuildDebugId = Type.Object(
  {
    ...DebugId.properties,
    metadata_artifact_id: Nullable(
      Type.String({
        description: 'ID of the metadata artifact that contains the file; `null` for the primary file.',
      }),
    ),
  },
  { title: 'BuildDebugId' },
)

export const listBuildDebugIds = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/debug-ids',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List debug IDs',
  description:
    'Lists the build IDs, UUIDs and other IDs that connect the executables in the primary file with symbols in the primary file and the metadata artifacts. At most 500 are read from each file.',
  params: Type.Object({ application_id: ApplicationId, build_id: BuildId }),
  returns: listOf(BuildDebugId),
  load: requireBuildOfPath,
  async handle({ db, build }) {
    const rows = await listDebugIds(db, build.id)
    const data = rows.map(({ artifact_id, kind, role, ...row }) => ({
      kind: kind as DebugIdValue['kind'],
      role: role as DebugIdValue['role'],
      ...row,
      metadata_artifact_id: artifact_id,
    }))
    return { message: 'Debug IDs retrieved.', data }
  },
})
