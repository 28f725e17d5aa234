import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFor } from './text-for.ts'

test('chooses the language that the browser prefers', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-CH', 'de'],
    ['DE-de, en;q=0.5', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr-FR, fr;q=0.9, de;q=0.6, en;q=0.4', 'de'],
    ['en;q=0.2, de;q=0.9', 'de'],
    ['de;q=0', 'en'],
    ['de;q=x', 'en'],
    ['fr', 'en'],
    [`${'x,'.repeat(100_000)}de`, 'en'],
    ['; ;,=;de', 'en'],
  ]
  for (const [header, language] of cases)
    assert.equal(textFor(header).language, language, header?.slice(0, 40))
})
