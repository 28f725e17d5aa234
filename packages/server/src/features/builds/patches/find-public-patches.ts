import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { listOf } from '../../../http/endpoint/responses.ts'
import { notFound } from '../../../lib/problem.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { listPatches } from './patch.db.ts'
import { FilePatch, openPatchToken, patchQuery, patchResources } from './patch.ts'

export const findPublicPatches = endpoint({
  method: 'GET',
  path: '/public/patches/:patch_token',
  scope: 'public',
  summary: 'Find a patch to a file',
  description:
    'Returns the patch that restores a file from the one with the SHA-256 `from`, if there is one. The URL is the `patches_url` of a download link. Patches from other files are not listed, because their checksums identify builds that the caller may not know.',
  params: Type.Object({
    patch_token: Type.String({ maxLength: 200, description: 'The last segment of `patches_url`.' }),
  }),
  query: patchQuery,
  refuses: storageProblems,
  returns: listOf(FilePatch),
  load: async (call) => {
    const opened = openPatchToken(call, call.params.patch_token)
    if (opened === undefined) throw notFound()
    return { opened }
  },
  async handle({ db, storage, opened: { fileId, leftSeconds }, query: { from } }) {
    const patches = from === undefined ? [] : await listPatches(db, fileId, from)
    return { message: 'Patches retrieved.', data: await patchResources(storage, patches, leftSeconds) }
  },
})
