import { Type } from 'typebox'

export const Platform = Type.Object(
  {
    identifier: Type.String(),
    name: Type.String(),
    short_name: Type.String(),
    upload_instruction: Type.String(),
  },
  { title: 'Platform' },
)

export const Architecture = Type.Object(
  { identifier: Type.String(), name: Type.String(), description: Type.String() },
  { title: 'Architecture' },
)
