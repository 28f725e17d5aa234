import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platformsFor } from '@quayside/sdk/platform'
import { exampleFile } from './upload-command.ts'

test('names a file in commands that the first platform of the application accepts', () => {
  assert.equal(exampleFile(['ios', 'android']), 'app-1.0.0.ipa')
  assert.equal(exampleFile(['generic']), 'app-1.0.0.zip')
  assert.equal(exampleFile([]), 'app-1.0.0.zip')
  for (const platform of [
    'android',
    'windows',
    'macos',
    'linux',
    'debian',
    'redhat',
    'opensuse',
    'quest',
    'pico',
  ])
    assert.ok(platformsFor(exampleFile([platform]), 'unknown').includes(platform), platform)
})
