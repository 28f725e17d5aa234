import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { filterActions, typosIn } from './filter-actions.ts'

const groups = [
  {
    group: 'Releases',
    actions: [
      { id: 'a', label: '2.14.0 · Faster start', description: 'Published' },
      { id: 'b', label: '2.13.9 · Fixes', description: 'Withdrawn' },
    ],
  },
  {
    group: 'Pages',
    actions: [
      { id: 'home', label: 'Home' },
      { id: 'members', label: 'Settings: Members', keywords: 'people invitations roles' },
      { id: 'storage', label: 'Settings: Storage' },
    ],
  },
]

const found = (text: string) =>
  filterActions(text, groups).flatMap(({ group, actions }) => actions.map(({ id }) => `${group} ${id}`))

for (const [text, expected] of [
  ['', ['Releases a', 'Releases b', 'Pages home', 'Pages members', 'Pages storage']],
  ['home', ['Pages home']],
  ['members settings', ['Pages members']],
  ['set mem', ['Pages members']],
  ['people', ['Pages members']],
  ['faster 2.14', ['Releases a']],
  ['published', ['Releases a']],
  ['st', ['Pages storage', 'Releases a'].toSorted()],
  ['memebrs', ['Pages members']],
  ['setings', ['Pages members', 'Pages storage']],
  ['invittaions', ['Pages members']],
  ['storrage', ['Pages storage']],
  ['hme', []],
  ['nothing at all', []],
] as const)
  test(`finds ${expected.length} actions for "${text}"`, () => {
    const actual = found(text)
    assert.deepEqual(text === 'st' ? actual.toSorted() : actual, expected)
  })

test('lists the group with the best match first', () => {
  assert.deepEqual(filterActions('storage', groups)[0]?.group, 'Pages')
  assert.deepEqual(
    filterActions('fi', [
      { group: 'Pages', actions: [{ id: 'x', label: 'Profile', keywords: 'fi' }] },
      ...groups,
    ]).map(({ group }) => group),
    ['Releases', 'Pages'],
  )
})

test('counts one typo for each inserted, deleted, replaced or swapped letter', () => {
  const letters = fc.string({ minLength: 4, maxLength: 12 })
  fc.assert(
    fc.property(
      letters,
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      fc.string(),
      (word, at, letter, rest) => {
        const index = at % word.length
        const start = word.slice(0, index)
        const candidates = [
          start + word.slice(index + 1),
          start + letter + word.slice(index + 1),
          start + letter + word.slice(index),
          start + (word[index + 1] ?? '') + (word[index] ?? '') + word.slice(index + 2),
        ]
        for (const typed of candidates) assert.ok(typosIn(typed, word + rest) <= 1, `${typed} for ${word}`)
        assert.equal(typosIn(word, word + rest), 0)
      },
    ),
  )
})
