import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../failure.ts'
import { requireDeclaredFields } from './declared-fields.ts'
import type { ResultFields } from './declared-fields.ts'

test('accepts fields that a result can have, in objects, lists, unions and open maps', () => {
  const table: [ResultFields, string[]][] = [
    ['listBuilds', ['id', 'stream.name', 'labels.name', 'ci_pipeline.ci_run_id']],
    ['createRelease', ['id', 'builds', 'builds.version']],
    [
      ['publishRelease', { notified_count: false }],
      ['status', 'notified_count'],
    ],
    [{ build: 'getBuild' }, ['build', 'build.scm.scm_branch']],
    [true, ['any.field']],
    [{ request: true }, ['request.platform']],
  ]
  for (const [result, fields] of table) requireDeclaredFields(result, fields)
})

test('rejects other fields and names those that exist at the same place', () => {
  const table: [ResultFields, string, RegExp][] = [
    [
      'createWorkspaceApiKey',
      'secret',
      /^The result has no field "secret"\. Available fields: id, name, .*key/,
    ],
    ['listBuilds', 'stream.title', /no field "stream\.title"\. Available fields: stream\.id, stream\.name/],
    ['listBuilds', 'id.part', /^The result has no field "id\.part"\.$/],
    ['listBuilds', 'toString', /no field "toString"/],
    [['createLabel', { deleted: false }], 'gone', /Available fields: .*color.*deleted\.$/],
    [false, 'id', /^The result has no field "id"\.$/],
  ]
  for (const [result, field, message] of table)
    assert.throws(
      () => requireDeclaredFields(result, [field]),
      (error) => error instanceof Failure && error.kind === 'usage' && message.test(error.message),
      field,
    )
})
