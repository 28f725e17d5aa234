import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { applicationRoles, scopesOfApplicationRole } from './roles.ts'
import { expandScopes } from './scopes.ts'

test('has the scopes of application roles that docs/roles.md lists', async () => {
  const page = await readFile(new URL('../../../../../docs/roles.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `(\w+)` \| (`\w+:\w+`.*) \|$/gm)].map(([, role, scopes = '']) => [
    role,
    expandScopes('application', scopes.replaceAll('`', '').split(' ')),
  ])
  assert.deepEqual(
    documented,
    applicationRoles.map((role) => [role, scopesOfApplicationRole(role)]),
  )
})
