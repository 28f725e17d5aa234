import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { startIssuer } from '../../server/test/oidc-issuer.ts'
import type { Issuer } from '../../server/test/oidc-issuer.ts'
import {
  fill,
  findBuild,
  integrationsFolder,
  missingPrograms,
  readVariables,
  runStep,
} from './integration-steps.ts'
import type { Build } from './integration-steps.ts'
import { jsonInProcess } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Variables = Record<string, string>
type Action = {
  inputs: Record<string, { default?: string; required?: boolean }>
  outputs: Record<string, { description: string }>
  runs: { using: string; main: string }
}
type Component = {
  spec: { inputs: Record<string, { default?: string }> }
  job: { script: string[]; variables: Variables; id_tokens: Record<string, { aud: string }> }
}
type Orb = {
  commands: Record<
    string,
    {
      parameters: Record<string, { type: string; default?: string }>
      steps: { run: { environment: Variables; command: string } }[]
    }
  >
  jobs: Record<string, { steps: Record<string, Variables>[] }>
}

let service: Service
let issuer: Issuer
let applicationId: string
let workspace: string

before(async () => {
  service = await startService({ QUAYSIDE_ISSUER_ALLOW_PRIVATE: '127.0.0.0/8' })
  issuer = await startIssuer()
  const create = ['applications', 'create', 'App', '--platform', 'linux', '--platform', 'generic']
  applicationId = (await jsonInProcess<{ id: string }>(service, create)).id
  const response = await fetch(`${service.url}/api/v1/applications/${applicationId}/trusted-publishers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bootstrapKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'CI',
      issuer: issuer.url,
      claims: { project_id: '42' },
      scopes: ['builds:create'],
    }),
  })
  assert.equal(response.status, 201, await response.text())
  workspace = join(service.folder, 'work space')
  await mkdir(workspace)
})

after(async () => {
  await service?.close()
  await issuer?.close()
})

const idToken = () => issuer.token({ sub: 'project:42', project_id: '42', aud: service.url })
const read = (path: string) => readFile(join(integrationsFolder, path), 'utf8')
const run = (command: string[], env: Variables) => runStep(service, command, { cwd: workspace, env })

async function fileIn(name: string): Promise<string> {
  await writeFile(join(workspace, name), randomBytes(1000))
  return name
}

/** Runs the action as a GitHub runner does, and returns its outputs. */
async function runAction(inputs: Variables, runnerEnv: Variables = {}): Promise<Variables> {
  const action = parse(await read('github-action/action.yml')) as Action
  assert.equal(action.runs.using, 'node24')
  for (const name of Object.keys(inputs)) assert.ok(action.inputs[name], `${name} is not an input`)
  const given = Object.entries(action.inputs).map(([name, { default: value = '', required }]) => {
    assert.ok(required !== true || inputs[name] !== undefined, `${name} is required`)
    return [`INPUT_${name.toUpperCase()}`, inputs[name] ?? value]
  })
  const temp = join(service.folder, randomBytes(4).toString('hex'))
  await mkdir(temp)
  const output = join(temp, 'output')
  await writeFile(output, '')
  const env = {
    GITHUB_ACTIONS: 'true',
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: output,
    ...runnerEnv,
    ...(Object.fromEntries(given) as Variables),
  }
  await run([process.execPath, join(integrationsFolder, 'github-action', action.runs.main)], env)
  const outputs = readVariables(await readFile(output, 'utf8'))
  assert.deepEqual(Object.keys(outputs), Object.keys(action.outputs))
  return outputs
}

test('uploads with the GitHub action and sets its outputs', async () => {
  await writeFile(join(workspace, 'notes.md'), '# Notes')
  const outputs = await runAction(
    {
      server: `${service.url}/`,
      application: 'App',
      'api-key': bootstrapKey,
      file: await fileIn('my app-1.2.3.bin'),
      stream: 'nightlies',
      platform: 'linux',
      labels: 'smoke,$(touch injected)',
      'notes-file': 'notes.md',
      metadata: `${await fileIn('report 1.txt')}\n${await fileIn('report 2.txt')}\n`,
    },
    { GITHUB_RUN_NUMBER: '318' },
  )
  const build = await findBuild(service, outputs['build-id'])
  assert.deepEqual(
    [build.version, build.stream.name, build.platform.identifier, build.build_source, build.build_number],
    ['1.2.3', 'nightlies', 'linux', 'ghactions', '318'],
  )
  assert.deepEqual(build.labels.map(({ name }) => name).toSorted(), ['$(touch injected)', 'smoke'])
  assert.deepEqual(build.metadata_artifacts.map(({ filename }) => filename).toSorted(), [
    'report 1.txt',
    'report 2.txt',
  ])
  assert.equal(outputs['version'], '1.2.3')
  assert.ok(outputs['build-url']?.startsWith(service.url) && outputs['download-url']?.startsWith(service.url))
  await assert.rejects(readFile(join(workspace, 'injected')), { code: 'ENOENT' })
})

test('uploads with the GitHub action and an OIDC token', async () => {
  issuer.responses[`/token?audience=${encodeURIComponent(service.url)}`] = (_request, response) =>
    issuer.json(response, { value: idToken() })
  const outputs = await runAction(
    { server: service.url, application: applicationId, file: await fileIn('oidc-1.0.0.bin') },
    { ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' },
  )
  assert.equal((await findBuild(service, outputs['build-id'])).version, '1.0.0')
})

test('shows failures of the GitHub action as annotations', async () => {
  const inputs = { server: service.url, application: 'App', file: await fileIn('a-1.0.0.bin') }
  const table: [Variables, number, RegExp][] = [
    [{ ...inputs, 'api-key': 'wrong' }, 3, /^::error title=quayside::The API key is invalid, expired or/m],
    [inputs, 3, /^::error title=quayside::There is no API key .*`permissions: \{ id-token: write \}`/m],
    [
      { ...inputs, server: `${service.url}/other` },
      1,
      /^::error .*\/other\/cli\/quayside\.mjs \(HTTP 404\)/m,
    ],
    [{ ...inputs, 'api-key': bootstrapKey, file: 'absent' }, 1, /^::error .*absent does not exist/m],
    [{ ...inputs, 'api-key': bootstrapKey, file: '' }, 2, /^::error .*missing required argument 'file'/m],
  ]
  for (const [given, code, stderr] of table) await assert.rejects(runAction(given), { code, stderr })
})

async function readComponent(inputs: Variables): Promise<Component> {
  const text = await read('gitlab/templates/upload.yml')
  const [header = '', body = ''] = text.split('\n---\n')
  const { spec } = parse(header) as Pick<Component, 'spec'>
  const given = Object.entries(spec.inputs).map(([name, { default: value }]) => [name, inputs[name] ?? value])
  const filled = fill(body, /\$\[\[ inputs\.([\w-]+) \]\]/g, Object.fromEntries(given))
  const [job] = Object.values(parse(filled) as Record<string, Component['job']>)
  assert.ok(job)
  assert.equal(parseAllDocuments(text).length, 2)
  return { spec, job }
}

test('uploads with the GitLab component and its ID token', { skip: missingPrograms }, async () => {
  const { job } = await readComponent({
    server: service.url,
    application: applicationId,
    file: await fileIn('gitlab-2.0.0.bin'),
    stream: 'nightlies',
    labels: 'smoke',
    arguments: '--label qa',
  })
  assert.equal(job.id_tokens['QUAYSIDE_ID_TOKEN']?.aud, service.url)
  const env = { GITLAB_CI: 'true', CI_PIPELINE_IID: '57', QUAYSIDE_ID_TOKEN: idToken(), ...job.variables }
  await run(['bash', '-eo', 'pipefail', '-c', job.script.join('\n')], env)
  const dotenv = readVariables(await readFile(join(workspace, 'quayside.env'), 'utf8'))
  const build = await findBuild(service, dotenv['QUAYSIDE_BUILD_ID'])
  assert.deepEqual(
    [build.version, build.stream.name, build.build_source, build.build_number, build.labels.length],
    ['2.0.0', 'nightlies', 'gitlab-ci', '57', 2],
  )
  assert.ok(dotenv['QUAYSIDE_BUILD_URL']?.startsWith(service.url))
  assert.equal(dotenv['QUAYSIDE_BUILD_VERSION'], '2.0.0')
})

test('uploads with the shell script from the Jenkins step', { skip: missingPrograms }, async () => {
  const text = await read('jenkins/vars/quaysideUpload.groovy')
  const [, script = ''] = /script: '''(.*?)'''/s.exec(text) ?? []
  const names = [...text.matchAll(/^ {4}"([A-Z_]+)=/gm)].map((match) => match[1])
  const variables: Variables = {
    QUAYSIDE_SERVER: service.url,
    QUAYSIDE_APPLICATION: 'App',
    QUAYSIDE_FILE: await fileIn('jenkins-3.0.0.bin'),
    QUAYSIDE_STREAM: 'default',
    QUAYSIDE_LABELS: '',
  }
  assert.deepEqual(names, Object.keys(variables))
  const env = { JENKINS_URL: 'https://ci.example.com/', BUILD_NUMBER: '42', QUAYSIDE_API_KEY: bootstrapKey }
  const { stdout } = await run(['sh', '-c', script], { ...env, ...variables })
  const { build } = JSON.parse(stdout) as { build: Build }
  assert.deepEqual([build.version, build.build_source, build.build_number], ['3.0.0', 'jenkins', '42'])
})

test(
  'uploads with the CircleCI orb and an OIDC token, and exports variables',
  { skip: missingPrograms },
  async () => {
    const orb = parse(await read('circleci/orb.yml')) as Orb
    const command = orb.commands['upload']
    const step = command?.steps[0]?.run
    assert.ok(command && step)
    const inputs: Variables = {
      server: service.url,
      application: applicationId,
      file: await fileIn('circle-5.0.0.bin'),
      labels: 'smoke,$(touch injected)',
    }
    const given = Object.entries(command.parameters).map(([name, { default: value }]) => [
      `parameters.${name}`,
      inputs[name] ?? value,
    ])
    const expression = /<< ([\w.-]+) >>/g
    assert.doesNotMatch(step.command, expression, 'an expression in a script runs the content of a parameter')
    const values = Object.fromEntries(given) as Variables
    const variables = Object.entries(step.environment).map(([name, text]) => [
      name,
      fill(text, expression, values),
    ])
    const bashEnv = join(service.folder, 'bash-env')
    const env = {
      ...(Object.fromEntries(variables) as Variables),
      CIRCLECI: 'true',
      CIRCLE_BUILD_NUM: '99',
      CIRCLE_OIDC_TOKEN_V2: idToken(),
      BASH_ENV: bashEnv,
    }
    await writeFile(bashEnv, '')
    await run(['bash', '-eo', 'pipefail', '-c', step.command], env)
    const { stdout } = await run(['sh', '-c', '. "$BASH_ENV" && echo "$QUAYSIDE_BUILD_ID"'], {
      BASH_ENV: bashEnv,
    })
    const build = await findBuild(service, stdout.trim())
    assert.deepEqual([build.version, build.build_source, build.labels.length], ['5.0.0', 'circleci', 2])
    const passed = Object.keys(orb.jobs['upload']?.steps.at(-1)?.['upload'] ?? {})
    for (const name of passed) assert.ok(command.parameters[name], `${name} is not a parameter`)
  },
)

if (spawnSync('ruby', ['--version']).status === 0)
  test('ships a fastlane action with valid Ruby syntax', async () => {
    const action = join(integrationsFolder, 'fastlane/quayside_upload.rb')
    assert.match((await promisify(execFile)('ruby', ['-c', action])).stdout, /Syntax OK/)
  })
