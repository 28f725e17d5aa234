import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { linkLifeSeconds } from '../files/download.ts'
import { fileParams, requireFileOfPath } from '../files/file-of-path.ts'
import { listPatches } from './patch.db.ts'
import { FilePatch, patchQuery, patchResources } from './patch.ts'

export const listFilePatches = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/files/:file_id/patches',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'List patches to a file',
  description:
    'Lists the patches that restore a file from one of an earlier build. The server creates one from the previous build of the stream if it saves more than the chunk index, and keeps it for 30 days. Patches from files of builds in the trash are not listed. The call records no download. The documentation describes how to apply a patch.',
  params: fileParams,
  query: patchQuery,
  budget: 'downloads',
  refuses: storageProblems,
  returns: listOf(FilePatch),
  load: requireFileOfPath,
  async handle({ db, storage, file, query }) {
    const patches = await listPatches(db, file.id, query.from)
    return { message: 'Patches retrieved.', data: await patchResources(storage, patches, linkLifeSeconds) }
  },
})
