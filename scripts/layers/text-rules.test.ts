import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers } from './check-layers.ts'

const build = 'features/builds/build.tsx'

const check = (path: string, text: string) =>
  checkLayers([{ path: `packages/web/src/${path}`, text }]).map(({ line, message }) => `${line} ${message}`)

const reported = (line: number, sentence: string) => [
  `${line} "${sentence}" is a sentence: move it to packages/web/src/text/`,
]

test('rejects a sentence in an attribute of a component', () => {
  assert.deepEqual(
    check(build, `\nexport const x = <Field hint="Leave empty to keep builds." />`),
    reported(2, 'Leave empty to keep builds.'),
  )
})

test('rejects a sentence in the content of a component', () => {
  const text = `export const x = (\n  <p>{count}. Search to\n    find the others.\n  </p>\n)`
  assert.deepEqual(check(build, text), reported(2, '. Search to find the others.'))
})

test('rejects a sentence about a value', () => {
  assert.deepEqual(check(build, 'show(`${name} restored.`)'), reported(1, '${} restored.'))
})

test('allows labels, joined sentences, versions and messages of errors', () => {
  for (const text of [
    'export const x = <b title="Delete label">Upload the first build</b>',
    'const text = `${first} ${second}.`',
    `const version = 'v1.2.'`,
    'throw new RangeError(`The archive does not contain ${name}.`)',
    `class AccessError extends Error { constructor() { super('You have no access.') } }`,
  ])
    assert.deepEqual(check(build, text), [])
})

test('allows sentences in text/, in tests and in examples for developers', () => {
  for (const path of ['text/build.ts', 'features/builds/build.test.ts', 'dev/part-states.tsx'])
    assert.deepEqual(check(path, `export const x = 'The build was deleted.'`), [])
})
