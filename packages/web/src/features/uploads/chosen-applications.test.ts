import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenApplications } from './chosen-applications.ts'

test('asks for an application only if a drop contains packages for several or an unknown one', () => {
  const table: [names: (string | null)[], matches: (string | undefined)[], chosen: (string | undefined)[]][] =
    [
      [
        [null, null],
        [undefined, undefined],
        ['one', 'one'],
      ],
      [['unknown'], [undefined], ['one']],
      [
        ['known', null],
        ['one', undefined],
        ['one', 'one'],
      ],
      [
        ['known', 'unknown'],
        ['one', undefined],
        ['one', undefined],
      ],
      [
        ['known', null],
        ['two', undefined],
        ['two', undefined],
      ],
    ]
  for (const [names, matches, chosen] of table)
    assert.deepEqual(chosenApplications(names, matches, 'one'), chosen, names.join(', '))
})
