import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from './form-data.ts'

const read = (type: string, body: string) =>
  readForm({ body: Buffer.from(body), headers: { 'content-type': type } } as never)

const part = '--real\r\nContent-Disposition: form-data; name="text"\r\n\r\na\r\n'

test('reads the fields of both kinds of forms', async () => {
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', 'text=a&other='],
    ['multipart/form-data; boundary=real', `${part}--real--\r\n`],
    ['multipart/form-data; charset=utf-8; boundary="real"', `${part}--real--\r\n`],
  ] as const)
    assert.equal((await read(type, body)).fields.get('text'), 'a', type)
})

test('rejects forms with too many fields or parts before it parses them', async () => {
  const body = `${part.repeat(60)}--real--\r\n`
  for (const [type, text] of [
    ['application/x-www-form-urlencoded', 'a&'.repeat(1024 * 1024)],
    ['multipart/form-data; boundary=real', body],
    ['multipart/form-data; xboundary=counted; boundary=real', body],
  ] as const)
    await assert.rejects(read(type, text), { status: 400 }, type)
})
