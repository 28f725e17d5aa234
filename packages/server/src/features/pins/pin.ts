import { Type } from 'typebox'
import { changesOf } from '../../http/endpoint/changes.ts'
import { View } from '../builds/views/view.ts'

const maxPins = 100

export const Pins = Type.Object(
  {
    application_ids: Type.Array(Type.String(), {
      description: 'IDs of the pinned applications, in your order.',
    }),
    views: Type.Array(View, { description: 'The pinned views of all applications, in your order.' }),
  },
  { title: 'Pins' },
)

const ids = (description: string) =>
  Type.Array(Type.String({ maxLength: 255 }), { maxItems: maxPins, uniqueItems: true, description })

export const PinChanges = changesOf({
  application_ids: ids('IDs of all applications to pin, in your order.'),
  view_ids: ids('IDs of all views to pin, in your order.'),
})
