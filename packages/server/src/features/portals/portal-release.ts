import { Type } from 'typebox'
import { Timestamp } from '../../http/fields.ts'

export const PortalRelease = Type.Object(
  {
    id: Type.String({ description: 'Id of the release.' }),
    application_id: Type.String(),
    version: Type.String(),
    title: Type.String(),
    published_at: Timestamp,
  },
  { title: 'PortalRelease' },
)
