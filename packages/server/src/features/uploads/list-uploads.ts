import { Type } from 'typebox'
import { selectApplication } from '../../access/application.db.ts'
import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Nullable } from '../../http/fields.ts'
import { listOf } from '../../http/responses.ts'
import { invalid } from '../../http/validation.ts'
import { formatVersion } from '../../lib/semver.ts'
import { isStoreProblem } from '../../storage/store-driver.ts'
import { UploadStatus, uploadStatus } from './get-upload.ts'
import { listOpenUploads } from './open-upload.db.ts'

const maxUploads = 10

const OpenUpload = Type.Object(
  {
    ...UploadStatus.properties,
    application_id: Type.String(),
    platform: Type.String(),
    stream: Nullable(Type.String({ description: 'Name of the stream.' })),
    version: Type.String(),
  },
  { title: 'OpenUpload' },
)

export const listUploads = endpoint({
  method: 'GET',
  path: '/upload',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  readsPrimary: true,
  summary: 'List unfinished uploads',
  description: `Lists the ${maxUploads} most recent build uploads that can be resumed, with the files and parts that are already stored. Before resuming one, compare the ETags of its parts with the local file.`,
  query: Type.Object({
    application_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only uploads to this application.' }),
    ),
    filename: Type.Optional(Type.String({ maxLength: 255, description: 'Exact name of the primary file.' })),
    size_bytes: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Exact size of the primary file in bytes.' }),
    ),
  }),
  budget: 'uploads',
  returns: listOf(OpenUpload),
  async handle({ db, actor, query, storage }) {
    const uploads = await listOpenUploads(db, actor, query, maxUploads)
    if (uploads.length === 0) await requireKnownApplication(db, actor, query.application_id)
    // Uploads to a custom store that is unavailable cannot be resumed now.
    const states = await Promise.all(
      uploads.map(async (upload) => ({
        upload,
        status: await uploadStatus(storage, upload).catch((error: unknown) => {
          if (isStoreProblem(error)) return undefined
          throw error
        }),
      })),
    )
    const data = states.flatMap(({ upload: { stream, ...upload }, status }) =>
      status === undefined
        ? []
        : {
            ...status,
            application_id: upload.application_id,
            platform: upload.draft.platform,
            stream,
            version: formatVersion({
              major: upload.draft.version_major,
              minor: upload.draft.version_minor,
              patch: upload.draft.version_patch,
              extra: upload.draft.version_extra,
              meta: upload.draft.version_meta,
            }),
          },
    )
    return { message: 'Uploads retrieved.', data }
  },
})

async function requireKnownApplication(db: Db, actor: Actor, id: string | undefined): Promise<void> {
  if (id === undefined || (await selectApplication(db, actor, id).executeTakeFirst()) !== undefined) return
  throw invalid({ application_id: [`"${id}" is not an application that this key can access.`] })
}
