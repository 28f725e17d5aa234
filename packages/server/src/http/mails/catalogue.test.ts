import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { mailCatalogue } from './catalogue.ts'

test('lists every email', () => {
  const suffix = '.mail.ts'
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(suffix))
  assert.deepEqual(
    files.map((name) => name.slice(0, -suffix.length)).toSorted(),
    Object.keys(mailCatalogue).toSorted(),
  )
})

for (const [name, mail] of Object.entries(mailCatalogue))
  test(`renders the sample of ${name}`, () => {
    const { subject, text, html } = mail.renderSample()
    assert.match(subject, /^\S.{2,70}\S$/)
    assert.match(text, /^\S[^]*\S\n$/)
    assert.doesNotMatch(subject + text + html, /undefined|\[object|NaN/)
    // Opening an email must tell nobody anything.
    assert.doesNotMatch(html, /\ssrc=|<link|<script|url\(|@import/)
    // Gmail hides what exceeds 102 KB.
    assert.ok(html.length < 100_000, `${html.length} characters`)
    const links = (part: string) => new Set(part.replaceAll('&amp;', '&').match(/https:\/\/[^\s"<]+[\w]/g))
    assert.deepEqual([...links(text)].toSorted(), [...links(html)].toSorted())
  })
