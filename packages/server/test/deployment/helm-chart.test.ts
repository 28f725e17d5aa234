import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { repository } from './deploy-files.ts'
import { chart, templates, values, valuesSchema, type Values } from './helm-chart.ts'

const validate = new Ajv({ strict: false, validateFormats: false }).compile(valuesSchema)

test('has the version of the server', async () => {
  const manifest = await readFile(join(repository, 'packages/server/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
})

test('has a schema that accepts the default values and rejects mistakes', () => {
  assert.ok(validate(values), JSON.stringify(validate.errors))
  const mistakes: Values[] = [
    { replicas: 3 },
    { api: { replicas: 0, resources: {} } },
    { publicUrl: 'builds.example.com' },
    { s3: { ...(values['s3'] as Values), forcePathStyle: 'yes' } },
    { secretName: 'Quayside Secret' },
    { settings: { publicUrl: 'https://builds.example.com' } },
    { worker: { replicas: 1, resources: { limits: { memory: '2 GB' } } } },
  ]
  for (const mistake of mistakes) assert.ok(!validate({ ...values, ...mistake }), JSON.stringify(mistake))
})

test('has a default for every value that a template uses, and uses every default', () => {
  const text = Object.values(templates).join('\n')
  const used = [...text.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path = '']) => path.slice(1).split('.'))
  assert.ok(used.length > 20)
  for (const path of used) {
    const found = path.reduce<unknown>((value, name) => (value as Values)[name], values)
    assert.notEqual(found, undefined, path.join('.'))
  }
  const names = new Set(used.map(([name]) => name))
  // The component selects them.
  for (const component of ['api', 'worker']) names.add(component)
  assert.deepEqual(
    Object.keys(values).filter((name) => !names.has(name)),
    [],
  )
})
