import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { changeUserPhoto } from './change-user-photo.ts'

export const deleteUserPhoto = endpoint({
  method: 'DELETE',
  path: '/users/me/photo',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Delete the profile photo',
  description: 'Deletes the photo that the signed-in user uploaded. API keys cannot use this endpoint.',
  returns: Message,
  async handle(call) {
    await changeUserPhoto(call, null)
    return { message: 'Photo deleted.' }
  },
})
