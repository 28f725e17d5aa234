import { Type } from 'typebox'
import { selectApplication } from '../../access/application.db.ts'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { listOf } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { formatVersion } from '../../lib/semver.ts'
import { isStoreProblem } from '../../storage/custom/store-driver.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { UploadStatus, uploadProgress } from './get-upload.ts'
import { listOpenUploads } from './open-upload.db.ts'

const maxUploads = 10

const OpenUpload = Type.Object(
  {
    ...UploadStatus.properties,
    application_id: Type.String(),
    platform: Type.String(),
    stream: Nullable(Type.String({ description: 'Name of the stream.' })),
    version: Type.String(),
    build_number: Nullable(Type.String()),
    build_source: Type.String({ description: 'Tool that uploads the build.' }),
    ci_run_id: Nullable(Type.String()),
    scm_branch: Nullable(Type.String()),
    created_at: Timestamp,
    idle_seconds: Type.Integer({
      minimum: 0,
      description:
        'Seconds since the client requested the upload or a part, or a part was stored; 0 while this server receives data. If parts are requested more than once a minute, some requests are not counted.',
    }),
  },
  { title: 'OpenUpload' },
)

export const listUploads = endpoint({
  method: 'GET',
  path: '/upload',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  readsPrimary: true,
  summary: 'List unfinished uploads',
  description: `Lists the ${maxUploads} most recent build uploads that can be resumed, with the files and parts that are already stored. Before resuming one, compare the ETags of its parts with the local file. An event of type \`upload\` is sent when an upload is requested or ends, and about once a minute while the client requests parts. To show the progress, repeat the request while an upload is listed.`,
  query: Type.Object({
    application_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only uploads to this application.' }),
    ),
    filename: Type.Optional(Type.String({ maxLength: 255, description: 'Exact name of the primary file.' })),
    size_bytes: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Exact size of the primary file in bytes.' }),
    ),
    include_verifying: Type.Optional(
      Type.Boolean({
        description: 'Also lists uploads that are complete and being verified, which cannot be resumed.',
      }),
    ),
  }),
  budget: 'uploads',
  refuses: [...storageProblems],
  returns: listOf(OpenUpload),
  async handle({ db, actor, query, storage, clock }) {
    const uploads = await listOpenUploads(db, actor, query, maxUploads)
    if (uploads.length === 0) await requireKnownApplication(db, actor, query.application_id)
    const entries = await Promise.all(
      uploads.map(async ({ stream, draft, ...upload }) => {
        const found = await uploadProgress(storage, { ...upload, draft }).catch(withoutUnavailableStore)
        if (found === undefined) return []
        const { status, ...progress } = found
        return {
          ...status,
          application_id: upload.application_id,
          platform: draft.platform,
          stream,
          version: formatVersion({
            major: draft.version_major,
            minor: draft.version_minor,
            patch: draft.version_patch,
            extra: draft.version_extra,
            meta: draft.version_meta,
          }),
          build_number: draft.build_number,
          build_source: draft.build_source,
          ci_run_id: draft.ci_run_id,
          scm_branch: draft.scm_branch,
          created_at: upload.created_at,
          idle_seconds: idleSeconds(upload.last_activity_at, progress, clock.now()),
        }
      }),
    )
    const data = entries.flat()
    return { message: 'Uploads retrieved.', data }
  },
})

function idleSeconds(
  requestedAt: string,
  { lastStoredAt, isReceiving }: { lastStoredAt: Date | undefined; isReceiving: boolean },
  now: Date,
): number {
  if (isReceiving) return 0
  const activeAt = Math.max(new Date(requestedAt).getTime(), lastStoredAt?.getTime() ?? 0)
  // The clocks of the database and of the storage can be ahead.
  return Math.max(0, Math.floor((now.getTime() - activeAt) / 1000))
}

/** Omits an upload to a custom store that is unavailable, because it cannot be resumed now. */
function withoutUnavailableStore(error: unknown): undefined {
  if (!isStoreProblem(error)) throw error
}

async function requireKnownApplication(db: Db, actor: Actor, id: string | undefined): Promise<void> {
  if (id === undefined || (await selectApplication(db, actor, id).executeTakeFirst()) !== undefined) return
  throw invalid({ application_id: [`"${id}" is not an application that this key can access.`] })
}
