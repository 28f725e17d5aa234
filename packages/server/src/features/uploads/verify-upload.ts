import { Type } from 'typebox'
import { needsProcessing } from '../../catalog/filetypes.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { requireFullBuild } from '../builds/build.db.ts'
import { consoleUrl, downloadUrl, FullBuild } from '../builds/build.ts'
import { addKnownChecksums, createBuild } from './create-build.ts'
import { finishUpload } from './finish-upload.ts'

export const verifyUpload = endpoint({
  method: 'POST',
  path: '/upload/verify',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Verify an upload and make its build',
  description:
    'The same call again answers the same build. Parts are listed with their ETags, primary file first; without ' +
    'a list the newest stored parts count. What is missing is named, and the upload can be mended.',
  body: Type.Object({
    pending_upload_id: Type.String({ maxLength: 100 }),
    multipart_chunks: Type.Optional(
      Type.Array(
        Type.Object({
          PartNumber: Type.Integer({ minimum: 1, maximum: 10_000 }),
          ETag: Type.String({ minLength: 1, maxLength: 200, description: 'With or without its quotes.' }),
        }),
        { maxItems: 20_000 },
      ),
    ),
  }),
  lenient: true,
  budget: 'uploads',
  returns: Type.Object({
    message: Type.String(),
    pending_processing: Type.Boolean(),
    build_id: Type.String(),
    build_info_url: Type.String(),
    download_url: Type.String(),
    build: FullBuild,
  }),
  handle: (call) =>
    finishUpload(call, call.body.pending_upload_id, {
      kind: 'build',
      chunks: call.body.multipart_chunks,
      existing: async ({ application_id, build_id }) =>
        answer(call, await requireFullBuild(call.db, application_id, build_id ?? '', call.config)),
      prepare: (files) => addKnownChecksums(call, files),
      insert: async (tx, upload, files) => {
        const build = await createBuild(tx, call, upload, files)
        return { buildId: build.id, artifactId: null, answer: answer(call, build) }
      },
    }),
})

function answer({ config }: Call, build: FullBuild) {
  return {
    message: 'Upload verified.',
    pending_processing: needsProcessing(build.primary_file.filetype.identifier),
    build_id: build.id,
    build_info_url: consoleUrl(config, build.application_id, build.id),
    download_url: downloadUrl(config, build.application_id, build.id),
    build,
  }
}
