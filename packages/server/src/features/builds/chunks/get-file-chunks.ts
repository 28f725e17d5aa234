import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Redirect } from '../../../http/endpoint/redirect.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { linkLifeSeconds, redirectOptions } from '../files/download.ts'
import { fileParams, requireFileOfPath } from '../files/file-of-path.ts'
import { findChunkIndex } from './chunk-index.db.ts'
import { chunksPending, chunksUnavailable, minIndexedBytes, signChunkIndex } from './chunk-index.ts'

export const getFileChunks = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/files/:file_id/chunks',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Get a chunk index',
  description:
    'Redirects to a signed URL of the chunk index of a file, from which a client that has another version of the file determines the ranges that it lacks. The URL supports `Range` and `ETag`. The call records no download. The documentation describes the format and a client step by step.',
  params: fileParams,
  status: 302,
  budget: 'downloads',
  refuses: [...storageProblems, chunksPending, chunksUnavailable],
  returns: Redirect,
  load: requireFileOfPath,
  async handle({ db, storage, file, ...call }) {
    const index = await findChunkIndex(db, file.id)
    if (index === undefined)
      throw file.size_bytes < minIndexedBytes || file.checksum_error !== null
        ? chunksUnavailable()
        : chunksPending()
    const location = await signChunkIndex(
      storage,
      { file_id: file.id, object_key: index.object_key },
      { expiresInSeconds: linkLifeSeconds, ...redirectOptions(call) },
    )
    return { message: 'Follow the `Location` header to download the chunk index.', location }
  },
})
