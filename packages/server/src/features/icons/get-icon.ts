import { Type } from 'typebox'
import { imageTypes } from '../../formats/image.ts'
import { endpoint } from '../../http/endpoint.ts'
import { PathId } from '../../http/fields.ts'
import { FileAnswer } from '../../http/file-answer.ts'
import { notFound } from '../../lib/problem.ts'
import { findStoredIcon } from '../../storage/stored-objects.db.ts'

export const getIcon = endpoint({
  method: 'GET',
  path: '/public/icons/:icon_id',
  scope: 'public',
  summary: 'Get an icon',
  description: 'The image behind an `icon_url` or `logo_url`. It never changes: keep it as long as you like.',
  params: Type.Object({ icon_id: PathId('Last part of the URL.') }),
  serves: imageTypes,
  returns: FileAnswer,
  async visible({ db, params }) {
    const icon = await findStoredIcon(db, params.icon_id)
    if (icon === undefined) throw notFound()
    return icon
  },
  async handle({ storage, object, contentType }) {
    const pieces: Uint8Array[] = []
    for await (const piece of storage.read(object)) pieces.push(piece)
    return { contentType, bytes: Buffer.concat(pieces) }
  },
})
