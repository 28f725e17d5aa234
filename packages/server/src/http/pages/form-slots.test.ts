import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { createFormSlots } from './form-slots.ts'

/** Returns a request of a network and its response. */
function requestOf(network: string) {
  const raw = new ServerResponse(new IncomingMessage(new Socket()))
  const close = async () => {
    const closed = once(raw, 'close')
    raw.assignSocket(new Socket())
    raw.socket?.destroy()
    await closed
  }
  return { request: { client: { network } } as never, reply: { raw } as never, close }
}

test('frees the slot of a form when its response ends', async () => {
  const slots = createFormSlots()
  const forms = [requestOf('192.0.2.1'), requestOf('192.0.2.1')]
  for (const { request, reply } of forms) slots.occupy(request, reply)
  const next = requestOf('192.0.2.1')
  assert.throws(() => slots.occupy(next.request, next.reply), { code: 'request.too_many_forms' })
  await forms[0]!.close()
  slots.occupy(next.request, next.reply)
})

test('occupies no slot for a client that is gone', async () => {
  const slots = createFormSlots()
  for (let count = 0; count < 6; count++) {
    const { request, reply, close } = requestOf('192.0.2.1')
    await close()
    assert.throws(() => slots.occupy(request, reply), { code: 'request.malformed' })
  }
  const { request, reply } = requestOf('192.0.2.1')
  slots.occupy(request, reply)
})
