import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leftOut, type Place, type Resource } from './left-out-fields.ts'
import { openApi } from './open-api.ts'
import { readWords } from './read-words.ts'

// A field that is added to the API is easily forgotten elsewhere. docs/adding-a-field.md lists the places.
const operations: Record<Resource, { get: string; create: string; update: string }> = {
  application: { get: 'getApplication', create: 'createApplication', update: 'updateApplication' },
  build: { get: 'getBuild', create: 'requestUpload', update: 'updateBuild' },
  release: { get: 'getRelease', create: 'createRelease', update: 'updateRelease' },
}

const places: Record<Place, (resource: Resource) => Set<string>> = {
  'the update operation': (resource) => new Set(openApi.bodyFields(operations[resource].update)),
  'the command line': () => readWords('packages/cli/src'),
  'the import of the command line': () => readWords('packages/cli/src/commands/import'),
  'the console': () => readWords('packages/web/src'),
}

for (const [place, read] of Object.entries(places))
  describe(`fields in ${place}`, () => {
    for (const resource of Object.keys(operations) as Resource[])
      test(`of ${resource}`, () => {
        const { get, create } = operations[resource]
        const fields = new Set([...openApi.dataFields(get), ...openApi.bodyFields(create)])
        assert.ok(fields.size > 10)
        const found = read(resource)
        const reasons = Object.values(leftOut[place as Place][resource])
        assert.deepEqual(
          [...fields].filter((field) => !found.has(field)).toSorted(),
          reasons.flat().toSorted(),
          'Support the field there, or add it to left-out-fields.ts with the reason.',
        )
      })
  })
