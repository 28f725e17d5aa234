import { Type, type Static } from 'typebox'
import { changesOf } from '../../http/endpoint/changes.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { chatFormats } from '../../net/chat/chat-format.ts'

const emailModes = ['at_once', 'daily', 'none'] as const
export type EmailMode = (typeof emailModes)[number]

const TimeOfDay = (example: string) =>
  Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    patternMessage: 'must be a time of day such as 22:30.',
    examples: [example],
  })

export const ChatUrl = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'URL of an incoming webhook of Slack, Discord, Microsoft Teams or a chat server that the operator allows. The notifications of the rules with `sends_chat` are sent there within a minute, without those that you have read by then. `null` if there is none.',
  examples: ['https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX'],
})
export const ChatFormat = Type.Enum([...chatFormats], {
  description:
    'Format of the messages on chat servers that the operator allows. Mattermost and Rocket.Chat read `slack`, the default. The known services always get their own format.',
})

const fields = {
  email: Type.Enum([...emailModes], {
    description:
      'When you get emails about the rules with `sends_email`: `at_once` within a minute, `daily` once a day, or `none`. What you have read by then is left out.',
  }),
  digest_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'The hour of the day in your time zone at which the daily email is sent.',
  }),
  quiet_hours: Nullable(
    Type.Object(
      { from: TimeOfDay('22:00'), to: TimeOfDay('07:00') },
      {
        description:
          'The time of day in your time zone during which no email is sent at once and no chat message. What happens then is in one email or message afterwards. `null` if there is none.',
      },
    ),
  ),
  time_zone: Type.String({
    maxLength: 100,
    description: 'Name of your time zone in the IANA database, such as `Europe/Berlin`.',
    examples: ['Europe/Berlin'],
  }),
  chat_url: Nullable(ChatUrl),
  chat_format: Nullable(ChatFormat),
}

export const NotificationSettings = Type.Object(
  {
    ...fields,
    chat_url: Nullable(Type.String()),
    chat_error: Nullable(
      Type.String({ description: 'Why the last message could not be delivered. `null` if it was.' }),
    ),
  },
  { title: 'NotificationSettings' },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsChanges = changesOf(fields)

export const defaultSettings: NotificationSettings = {
  email: 'at_once',
  digest_hour: 8,
  quiet_hours: null,
  time_zone: 'UTC',
  chat_url: null,
  chat_format: null,
  chat_error: null,
}
