import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { NewIcon, storeIcon } from '../icons/icon.ts'
import { changeUserPhoto } from './change-user-photo.ts'
import { User } from './member.ts'

export const replaceUserPhoto = endpoint({
  method: 'PUT',
  path: '/users/me/photo',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Upload a profile photo',
  description:
    'Sets the photo of the signed-in user in every workspace. Without a photo, the console shows initials. API keys cannot use this endpoint.',
  body: NewIcon,
  refuses: [...spaceProblems, ...storageProblems],
  returns: one(User),
  async handle({ body, ...call }) {
    const photo = await storeIcon(call, body)
    return { message: 'Photo uploaded.', data: await changeUserPhoto(call, photo) }
  },
})
