import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSessionCookie } from './session-cookie.ts'

const options = { publicUrl: 'http://localhost:4400', secret: 'a'.repeat(32), previousSecret: undefined }
const cookieOf = (header: string) => header.split(';')[0] ?? ''

test('reads the token of a session cookie that it wrote', () => {
  const { readSessionToken, setCookie } = createSessionCookie(options)
  const header = setCookie('token-1')
  assert.equal(readSessionToken({ cookie: `theme=dark; ${cookieOf(header)}` }), 'token-1')
  assert.match(header, /; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('ignores a session cookie without a valid signature', () => {
  const { name, readSessionToken, setCookie } = createSessionCookie(options)
  const valid = cookieOf(setCookie('token-1'))
  const others = createSessionCookie({ ...options, secret: 'b'.repeat(32) })
  for (const cookie of [
    '',
    name,
    `${name}=`,
    `${name}=token-1`,
    `${name}=%E0%A4%A`,
    valid.replace('token-1', 'token-2'),
    `other-${valid}`,
    cookieOf(others.setCookie('token-1')),
  ])
    assert.equal(readSessionToken({ cookie }), undefined, cookie)
  const shadowed = `${name}=token-2.AAAA; ${valid}`
  assert.equal(readSessionToken({ cookie: shadowed }), 'token-1')
})

test('reads a session cookie that was signed with the previous secret', () => {
  const before = createSessionCookie(options)
  const after = createSessionCookie({ ...options, secret: 'b'.repeat(32), previousSecret: options.secret })
  assert.equal(after.readSessionToken({ cookie: cookieOf(before.setCookie('token-1')) }), 'token-1')
})

test('binds the session cookie to the host if the public URL uses HTTPS', () => {
  const { setCookie } = createSessionCookie({ ...options, publicUrl: 'https://builds.example.com' })
  assert.match(
    setCookie('token-1'),
    /^__Host-quayside\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})
