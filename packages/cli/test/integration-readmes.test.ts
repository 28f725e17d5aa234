import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { integrationsFolder } from './integration-steps.ts'

type Inputs = Record<string, { default?: unknown; required?: boolean; type?: string }>

const read = (path: string) => readFileSync(join(integrationsFolder, path), 'utf8')

/** Returns the first YAML example in a README. */
function exampleIn(path: string): unknown {
  const [, yaml] = /```yaml\n(.*?)```/s.exec(read(path)) ?? []
  return parse(yaml ?? assert.fail(`${path} has no example`))
}

/** Returns the object of an example that contains all of `keys`, wherever it is. */
function findObject(value: unknown, keys: string[]): Record<string, unknown> {
  const search = (node: unknown): Record<string, unknown> | undefined => {
    if (typeof node !== 'object' || node === null) return undefined
    if (keys.every((key) => key in node)) return node as Record<string, unknown>
    for (const child of Object.values(node)) {
      const found = search(child)
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(value) ?? assert.fail(`no object with ${keys.join(', ')}`)
}

test('uses only inputs that exist in the examples, and all that are required', () => {
  const task = JSON.parse(read('azure-pipelines/QuaysideUpload/task.json')) as {
    inputs: { name: string; required?: boolean }[]
  }
  const [component] = parseAllDocuments(read('gitlab/templates/upload.yml'))
  assert.ok(component)
  const orb = parse(read('circleci/orb.yml')) as { commands: { upload: { parameters: Inputs } } }
  const declared: [folder: string, inputs: Inputs][] = [
    ['github-action', (parse(read('github-action/action.yml')) as { inputs: Inputs }).inputs],
    ['gitlab', (component.toJS() as { spec: { inputs: Inputs } }).spec.inputs],
    ['azure-pipelines', Object.fromEntries(task.inputs.map(({ name, ...input }) => [name, input]))],
    ['circleci', orb.commands.upload.parameters],
  ]
  for (const [folder, inputs] of declared) {
    const used = findObject(exampleIn(`${folder}/README.md`), ['server', 'application', 'file'])
    for (const name of Object.keys(used)) assert.ok(inputs[name], `${folder}: ${name} is not an input`)
    for (const [name, { default: value, required }] of Object.entries(inputs)) {
      const isRequired = required ?? (folder !== 'azure-pipelines' && value === undefined)
      assert.ok(!isRequired || used[name] !== undefined, `${folder}: ${name} is required`)
    }
  }
})

test('describes every integration on its page', () => {
  const page = readFileSync(join(integrationsFolder, '../docs/integrations.md'), 'utf8')
  const readmes = globSync('*/README.md', { cwd: integrationsFolder })
  assert.ok(readmes.length > 10)
  for (const readme of readmes) assert.ok(page.includes(`](../integrations/${readme})`), readme)
})
