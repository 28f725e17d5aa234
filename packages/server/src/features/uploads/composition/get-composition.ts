import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { PathId, SizeBytes } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { notFound } from '../../../lib/problem.ts'
import { newBytes } from '../../../storage/objects/composition.ts'
import { requirePendingUpload } from '../pending-upload.db.ts'
import { findComposition } from './composition.db.ts'

export const getComposition = endpoint({
  method: 'GET',
  path: '/upload/:pending_upload_id/composition',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  readsPrimary: true,
  summary: 'Get the composition of an upload',
  description:
    'Returns which ranges of the file the client sends, so that another run can resume the upload. 404 if the client sends all of it.',
  params: Type.Object({ pending_upload_id: PathId('ID of the upload.') }),
  query: Type.Object({
    role: Type.Optional(
      Type.Enum(['primary', 'expansion'], { default: 'primary', description: 'Which file of the upload.' }),
    ),
  }),
  budget: 'uploads',
  returns: one(
    Type.Object(
      {
        checksum_sha256: Type.String({ description: 'SHA-256 of the complete file.' }),
        new_ranges: Type.Array(Type.Object({ offset: SizeBytes, size_bytes: SizeBytes }), {
          description: 'The ranges of the complete file that the client sends, in order.',
        }),
      },
      { title: 'UploadComposition' },
    ),
  ),
  async load({ db, actor, params, query }) {
    const upload = await requirePendingUpload(db, actor, params.pending_upload_id)
    const file = upload.files.find(({ role }) => role === (query.role ?? 'primary'))
    const composition = file && (await findComposition(db, file.id))
    if (composition === undefined) throw notFound()
    return { composition }
  },
  async handle({ composition }) {
    let offset = 0
    const newRanges: { offset: number; size_bytes: number }[] = []
    for (const [segment, , sizeBytes] of composition.ranges) {
      if (segment === newBytes) newRanges.push({ offset, size_bytes: sizeBytes })
      offset += sizeBytes
    }
    return {
      message: 'Composition retrieved.',
      data: { checksum_sha256: composition.checksumSha256, new_ranges: newRanges },
    }
  },
})
