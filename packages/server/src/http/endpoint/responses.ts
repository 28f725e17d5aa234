import { Type, type TSchema } from 'typebox'

const message = Type.String()

export const Message = Type.Object({ message })

export const one = <T extends TSchema>(resource: T) => Type.Object({ message, data: resource })

export const listOf = <T extends TSchema>(resource: T) => Type.Object({ message, data: Type.Array(resource) })
