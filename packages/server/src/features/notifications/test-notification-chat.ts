import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { allowedFormat, sendCard, testCard, unknownChat } from './notification-chat.ts'
import { ChatFormat, ChatUrl } from './notification-settings.ts'

export const testNotificationChat = endpoint({
  method: 'POST',
  path: '/notification-settings/test',
  scope: { workspace: null, application: null, session: 'required' },
  summary: 'Send a test message to a chat',
  description:
    'Sends a message to the URL, which does not have to be saved. Responds with 422 and the reason if the chat does not accept it.',
  body: Type.Object({ chat_url: ChatUrl, chat_format: Type.Optional(ChatFormat) }),
  returns: Message,
  async check({ config, body: { chat_url: url, chat_format: format } }) {
    const isKnown = url === undefined || allowedFormat(config, url, format) !== undefined
    return { errors: isKnown ? {} : { chat_url: [unknownChat] } }
  },
  async handle({ body: { chat_url: url, chat_format: given }, ...call }) {
    const format = allowedFormat(call.config, url, given)
    const { error } =
      format === undefined
        ? { error: unknownChat }
        : await sendCard(call, { url, format }, testCard(call.config))
    if (error !== null) throw invalid({ chat_url: [error] })
    return { message: 'Test message sent.' }
  },
})
