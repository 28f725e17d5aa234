import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { imageTypes } from '../../inspection/images/image.ts'
import { notFound } from '../../lib/problem.ts'
import { damageProblems } from '../../storage/damaged-file.ts'
import { findStoredIcon } from '../../storage/objects/stored-objects.db.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { readIcon } from './icon.ts'

export const getIcon = endpoint({
  method: 'GET',
  path: '/public/icons/:icon_id',
  scope: 'public',
  summary: 'Get an icon',
  description:
    'Returns the image that an `icon_url` or `logo_url` refers to. The content of a URL never changes, so it can be cached indefinitely.',
  params: Type.Object({ icon_id: PathId('ID of the icon: the last segment of its URL.') }),
  serves: imageTypes,
  refuses: [...damageProblems, ...storageProblems],
  returns: FileResponse,
  async load({ db, params }) {
    const icon = await findStoredIcon(db, params.icon_id)
    if (icon === undefined) throw notFound()
    return icon
  },
  handle: async ({ storage, object, contentType }) => ({
    contentType,
    bytes: await readIcon({ storage }, object),
  }),
})
