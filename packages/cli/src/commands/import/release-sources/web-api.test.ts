import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextLink } from './web-api.ts'

test('finds the next page in a Link header', () => {
  const table: [string | null, string | undefined][] = [
    [
      '<https://a.example/x?page=2>; rel="next", <https://a.example/x?page=9>; rel="last"',
      'https://a.example/x?page=2',
    ],
    [
      '<https://a.example/x?a=1,2>; rel="prev", <https://a.example/x?page=3>; rel=next',
      'https://a.example/x?page=3',
    ],
    ['<https://a.example/x?page=1>; title="next"; rel="first"', undefined],
    ['<https://a.example/x>; rel="nextgen"', undefined],
    ['nonsense', undefined],
    [null, undefined],
  ]
  for (const [header, url] of table) assert.equal(nextLink(header), url, String(header))
})
