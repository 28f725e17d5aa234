import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routes } from '../../routes.ts'
import { cliCommands, cliExample } from './reference-cli.ts'
import { sdkExample } from './reference-sdk.ts'

const [commandPages = '', globalOptions = ''] = readFileSync(
  new URL('../../../../../docs/cli.md', import.meta.url),
  'utf8',
).split('\n## Options of every command')
const sections = commandPages.split('\n### quayside ').slice(1)
const resolve = <T>(schema: T): T => schema

test('uses only commands and options of the command line in CLI examples', () => {
  for (const [operationId, example] of Object.entries(cliCommands)) {
    assert.ok(operationId in routes, operationId)
    const matching = sections
      .filter((text) => `${example} `.startsWith(`${text.split('\n', 1)[0]} `))
      .toSorted((a, b) => b.split('\n', 1)[0]!.length - a.split('\n', 1)[0]!.length)
    const [section] = matching
    assert.ok(section !== undefined, `${example} is not a command`)
    for (const [option] of example.matchAll(/(?<= )--[\w-]+/g))
      assert.ok(`${section}${globalOptions}`.includes(option), `${example}: ${option} is not an option`)
  }
})

test('uses `quayside api` for operations without a command', () => {
  const request = { operationId: 'updateUser', method: 'patch', path: '/users/me', isPublic: false }
  const body = { type: 'object', properties: { name: { type: 'string' } } }
  assert.equal(
    cliExample({ ...request, body }, resolve),
    `quayside api PATCH "/users/me" \\\n  --raw-field 'name=Example'`,
  )
})

test('passes path parameters and the body to the SDK', () => {
  const body = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
  const path = '/applications/{application_id}/releases'
  const request = { operationId: 'createRelease', method: 'post', path, isPublic: false, body }
  assert.equal(
    sdkExample({ ...request, requiredQuery: [], isStream: false }, resolve),
    `const response = await client.createRelease({
  application_id: '<application_id>',
  body: { title: 'Spring release' },
})`,
  )
})
