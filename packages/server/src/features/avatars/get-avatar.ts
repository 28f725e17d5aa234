import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { FileResponse } from '../../http/endpoint/file-response.ts'
import { notFound } from '../../lib/problem.ts'
import { drawAvatar, parseAvatar } from './avatar.ts'

export const getAvatar = endpoint({
  method: 'GET',
  path: '/public/avatars/:avatar_id',
  scope: 'public',
  summary: 'Get an avatar',
  description:
    'Returns the picture with initials that `profile_photo_url` refers to if a user has no photo. The content of a URL never changes, so it can be cached indefinitely.',
  params: Type.Object({ avatar_id: PathId('ID of the avatar: the last segment of its URL.') }),
  serves: ['image/svg+xml'],
  returns: FileResponse,
  async load({ params }) {
    const avatar = parseAvatar(params.avatar_id)
    if (avatar === undefined) throw notFound()
    return { avatar }
  },
  handle: async ({ avatar }) => ({ contentType: 'image/svg+xml', bytes: Buffer.from(drawAvatar(avatar)) }),
})
