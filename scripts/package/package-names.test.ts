import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const documents = ['*.md', 'docs/*.md', 'packages/*/README.md', '{integrations,deploy}/**/*']
/** Packages of others that pages tell their readers to install. */
const known = /^(?:@quayside\/|@opentelemetry\/)|^pg$/

test('pages name no npm package that anybody else could publish as ours', () => {
  const commands = globSync(documents, { cwd: root })
    .filter((file) => statSync(join(root, file)).isFile())
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      // Commands are at the start of a line, after an environment variable or another command, or in code.
      const pattern =
        /(?<=^\s*|`|&& |[A-Z_]+=\S+ |run: )(?:npx|npm (?:exec|install|i)(?= ))((?: --?[\w-]+)*)((?: (?!--)[@\w/.-]+)*)/gm
      return [...text.matchAll(pattern)].map(([command, , words = '']) => ({ file, command, words }))
    })
  assert.ok(commands.length > 20)
  for (const { file, command, words } of commands) {
    // npx takes one package; npm install takes several.
    const names = words
      .trim()
      .split(' ')
      .slice(0, command.startsWith('npx') ? 1 : undefined)
    for (const name of names.filter((word) => word !== '')) assert.match(name, known, `${file}: ${command}`)
  }
})
