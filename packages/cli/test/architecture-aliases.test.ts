import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findArchitecture } from '../../server/src/catalog/architectures.ts'
import { platformSupports } from '../../server/src/catalog/platforms.ts'
import { architectureAliases, platformAliases } from '../src/files/architecture-aliases.data.ts'
import { architectureIdentifier } from '../src/files/architecture-aliases.ts'

test('maps every architecture alias to an identifier that the server supports', () => {
  for (const [alias, identifier] of Object.entries(architectureAliases)) {
    assert.ok(findArchitecture(identifier), `${alias} is mapped to ${identifier}`)
    assert.equal(findArchitecture(alias), undefined, `${alias} is an identifier itself`)
  }
  for (const [platform, aliases] of Object.entries(platformAliases))
    for (const identifier of Object.values(aliases))
      assert.ok(platformSupports(platform, identifier), `${platform} ${identifier}`)
})

test('selects Apple silicon for arm64 on macOS', () => {
  assert.equal(architectureIdentifier('macos', 'ARM64'), 'apple')
  assert.equal(architectureIdentifier('linux', 'arm64'), 'arm64v8')
  assert.equal(architectureIdentifier('linux', 'x64'), 'x64')
  assert.equal(architectureIdentifier('linux', 'quantum'), 'quantum')
})
