import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { screens } from './screens.ts'

const root = join(import.meta.dirname, '../..')

test('every picture that a page shows is of a screen that npm run screens visits', () => {
  const names = new Set(screens.map(({ name }) => name))
  const shown = globSync(['README.md', 'docs/*.md'], { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/screens\/([\w-]+?)-(?:1440|1024|390)-/g)].map(
      ([, name = '']) => name,
    ),
  )
  assert.ok(shown.length > 5)
  for (const name of shown) assert.ok(names.has(name), name)
})
