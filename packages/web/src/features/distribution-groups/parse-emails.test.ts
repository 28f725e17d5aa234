import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEmails } from './parse-emails.ts'

const listed = (text: string) => parseEmails(text).map(({ email, state }) => `${email} ${state}`)

test('reads addresses that are separated by lines, commas, semicolons or spaces', () => {
  assert.deepEqual(listed('a@example.com, b@example.com; c@example.com\n\n d@example.com\te@example.com'), [
    'a@example.com new',
    'b@example.com new',
    'c@example.com new',
    'd@example.com new',
    'e@example.com new',
  ])
})

test('ignores names beside addresses in angle brackets', () => {
  assert.deepEqual(listed('"Ruiz, Ana" <ana@example.com>, Ben Ito <ben@example.com>'), [
    'ana@example.com new',
    'ben@example.com new',
  ])
})

test('marks repeated and invalid addresses', () => {
  assert.deepEqual(listed('a@example.com\nA@Example.com\nnot an address\nc@localhost'), [
    'a@example.com new',
    'A@Example.com repeated',
    'not an address invalid',
    'c@localhost invalid',
  ])
})
