import { Type, type Static } from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Nullable, PathId, Timestamp } from '../../../http/endpoint/fields.ts'
import { problem } from '../../../lib/problem.ts'
import { userFields, userResource } from '../member.ts'

export const AccessRequest = Type.Object(
  {
    id: Type.String(),
    user: Type.Object(userFields, { description: 'The member of the workspace who asks for access.' }),
    message: Nullable(Type.String({ description: 'What the person wrote.' })),
    created_at: Timestamp,
    expires_at: Type.String({
      ...Timestamp,
      description: 'The time at which the request ends if nobody decides, 30 days after it was made.',
    }),
  },
  { title: 'AccessRequest' },
)

export type AccessRequestRow = {
  id: string
  application_id: string
  user_id: string
  name: string
  email: string
  profile_photo_url: string | null
  photo_object_key: string | null
  message: string | null
  created_at: string
  expires_at: string
  is_open: boolean
}

export const AccessRequestId = PathId('ID of the access request.')

export const maxMessageLength = 500
export const openDays = 30

export const requestClosed = problem(
  'conflict',
  'access_request.closed',
  'This request has already been approved or declined, or has ended. Reload the list of requests.',
)

export const requestNotRestorable = problem(
  'conflict',
  'access_request.not_restorable',
  'This request cannot be restored, because it is open or the person has access.',
)

export function accessRequestResource(
  {
    id,
    message,
    created_at,
    expires_at,
    user_id,
    name,
    email,
    profile_photo_url,
    photo_object_key,
  }: AccessRequestRow,
  config: Pick<Config, 'publicUrl'>,
): Static<typeof AccessRequest> {
  const user = userResource({ id: user_id, name, email, profile_photo_url, photo_object_key }, config)
  return { id, user, message, created_at, expires_at }
}
