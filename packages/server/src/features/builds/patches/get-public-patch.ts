import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Nullable } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { notFound } from '../../../lib/problem.ts'
import { storageProblems } from '../../../storage/storage-errors.ts'
import { listPatches } from './patch.db.ts'
import { FilePatch, openPatchToken, patchQuery, patchResources } from './patch.ts'

export const getPublicPatch = endpoint({
  method: 'GET',
  path: '/public/patches/:patch_token',
  scope: 'public',
  summary: 'Get a patch to a file',
  description:
    'Returns the patch that restores a file from the one with the SHA-256 `from`, or `null` if there is none. The URL is the `patches_url` of a download link. Patches from other files are not listed, because their checksums identify builds that the caller may not know.',
  params: Type.Object({
    patch_token: Type.String({ maxLength: 200, description: 'The last segment of `patches_url`.' }),
  }),
  query: patchQuery,
  refuses: storageProblems,
  returns: one(Nullable(FilePatch)),
  load: async (call) => {
    const opened = openPatchToken(call, call.params.patch_token)
    if (opened === undefined) throw notFound()
    return { opened }
  },
  async handle({ db, storage, opened: { fileId, leftSeconds }, query: { from } }) {
    const patches = from === undefined ? [] : await listPatches(db, fileId, from)
    const [data = null] = await patchResources(storage, patches.slice(0, 1), leftSeconds)
    return { message: data === null ? 'There is no patch from this file.' : 'Patch retrieved.', data }
  },
})
