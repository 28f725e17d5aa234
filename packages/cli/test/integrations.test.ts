import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { startIssuer } from '../../server/test/oidc-issuer.ts'
import type { Issuer } from '../../server/test/oidc-issuer.ts'
import { jsonInProcess } from './run-in-process.ts'
import { bootstrapKey, startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Action = {
  inputs: Record<string, { default?: string; required?: boolean }>
  outputs: Record<string, { value: string }>
  runs: { steps: { id?: string; run: string; env: Record<string, string> }[] }
}
type Component = {
  spec: { inputs: Record<string, { default?: string }> }
  job: { script: string[]; variables: Record<string, string>; id_tokens: Record<string, { aud: string }> }
}
type Build = {
  version: string
  stream: { name: string }
  labels: { name: string }[]
  build_source: string
  build_number: string | null
  platform: { identifier: string }
  metadata_artifacts: { filename: string }[]
}

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../../integrations')
const bash = spawnSync('bash', ['--version']).status === 0
const missing = bash && spawnSync('curl', ['--version']).status === 0 ? false : 'requires bash and curl'

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
const findBuild = (id: string) => jsonInProcess<Build>(service, ['builds', 'get', id])

async function fileIn(name: string): Promise<string> {
  await writeFile(join(workspace, name), randomBytes(1000))
  return name
}

/** Runs a script as a CI runner does, with the Node that runs the tests and nothing else from this environment. */
function runScript(shell: string[], script: string, env: Record<string, string>) {
  const [program = '', ...args] = shell
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`
  return run(program, [...args, '-c', script], {
    cwd: workspace,
    env: { PATH: path, HOME: service.folder, ...env },
  })
}

const fill = (text: string, pattern: RegExp, values: Record<string, string>) =>
  text.replaceAll(pattern, (_, name: string) => {
    assert.ok(values[name] !== undefined, `${name} is not defined`)
    return values[name]
  })

/** Runs the steps of the composite action and returns its outputs. */
async function runAction(inputs: Record<string, string>, runnerEnv: Record<string, string> = {}) {
  const action = parse(await readFile(join(folder, 'github-action/action.yml'), 'utf8')) as Action
  const names = Object.entries(action.inputs)
  for (const name of Object.keys(inputs)) assert.ok(action.inputs[name], `${name} is not an input`)
  const given = names.map(([name, { default: value }]) => [`inputs.${name}`, inputs[name] ?? value])
  const values: Record<string, string> = Object.fromEntries(given)
  const temp = join(service.folder, randomBytes(4).toString('hex'))
  await mkdir(temp)
  const output = join(temp, 'output')
  await writeFile(output, '')
  for (const step of action.runs.steps) {
    const expression = /\$\{\{ ([\w.-]+) \}\}/g
    assert.doesNotMatch(step.run, expression, 'an expression in a script runs the content of an input')
    const env = Object.entries(step.env).map(([name, text]) => [name, fill(text, expression, values)])
    const stepEnv = { RUNNER_TEMP: temp, GITHUB_OUTPUT: output, ...runnerEnv, ...Object.fromEntries(env) }
    await runScript(['bash', '--noprofile', '--norc', '-eo', 'pipefail'], step.run, stepEnv)
    for (const line of (await readFile(output, 'utf8')).split('\n').filter(Boolean)) {
      const [name = '', ...rest] = line.split('=')
      values[`steps.${step.id}.outputs.${name}`] = rest.join('=')
    }
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    fill(value, /\$\{\{ ([\w.-]+) \}\}/g, values),
  ])
  return Object.fromEntries(outputs) as Record<string, string>
}

test('uploads with the GitHub action and sets its outputs', { skip: missing }, async () => {
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
    { GITHUB_ACTIONS: 'true', GITHUB_RUN_NUMBER: '318' },
  )
  const build = await findBuild(outputs['build-id'] ?? '')
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

test('uploads with the GitHub action and an OIDC token', { skip: missing }, async () => {
  issuer.responses[`/token?audience=${encodeURIComponent(service.url)}`] = (_request, response) =>
    issuer.json(response, { value: idToken() })
  const outputs = await runAction(
    { server: service.url, application: applicationId, file: await fileIn('oidc-1.0.0.bin') },
    {
      GITHUB_ACTIONS: 'true',
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x',
    },
  )
  assert.equal((await findBuild(outputs['build-id'] ?? '')).version, '1.0.0')
})

test('fails the GitHub action when the upload fails', { skip: missing }, async () => {
  const inputs = {
    server: service.url,
    application: 'App',
    'api-key': 'wrong',
    file: await fileIn('a-1.0.0.bin'),
  }
  await assert.rejects(runAction(inputs), { code: 3, stderr: /API key is invalid, expired or revoked/ })
  await assert.rejects(runAction({ ...inputs, server: `${service.url}/other` }), { stderr: /404/ })
})

async function readComponent(inputs: Record<string, string>): Promise<Component> {
  const text = await readFile(join(folder, 'gitlab/quayside.yml'), 'utf8')
  const [header = '', body = ''] = text.split('\n---\n')
  const { spec } = parse(header) as Pick<Component, 'spec'>
  const given = Object.entries(spec.inputs).map(([name, { default: value }]) => [name, inputs[name] ?? value])
  const filled = fill(body, /\$\[\[ inputs\.([\w-]+) \]\]/g, Object.fromEntries(given))
  const [job] = Object.values(parse(filled) as Record<string, Component['job']>)
  assert.ok(job)
  assert.equal(parseAllDocuments(text).length, 2)
  return { spec, job }
}

test('uploads with the GitLab component and its ID token', { skip: missing }, async () => {
  const { job } = await readComponent({
    server: service.url,
    application: applicationId,
    file: await fileIn('gitlab-2.0.0.bin'),
    stream: 'nightlies',
    arguments: '--label smoke --label qa',
  })
  assert.equal(job.id_tokens['QUAYSIDE_ID_TOKEN']?.aud, service.url)
  const env = { GITLAB_CI: 'true', CI_PIPELINE_IID: '57', QUAYSIDE_ID_TOKEN: idToken(), ...job.variables }
  await runScript(['bash', '-eo', 'pipefail'], job.script.join('\n'), env)
  const dotenv = await readFile(join(workspace, 'quayside.env'), 'utf8')
  const build = await findBuild(/^QUAYSIDE_BUILD_ID=(\S+)$/m.exec(dotenv)?.[1] ?? '')
  assert.deepEqual(
    [build.version, build.stream.name, build.build_source, build.build_number, build.labels.length],
    ['2.0.0', 'nightlies', 'gitlab-ci', '57', 2],
  )
  assert.match(dotenv, new RegExp(`^QUAYSIDE_BUILD_URL=${service.url}/`, 'm'))
})

test('uploads with the shell script from the Jenkins step', { skip: missing }, async () => {
  const text = await readFile(join(folder, 'jenkins/vars/quaysideUpload.groovy'), 'utf8')
  const [, script = ''] = /script: '''(.*?)'''/s.exec(text) ?? []
  const names = [...text.matchAll(/^ {4}"([A-Z_]+)=/gm)].map((match) => match[1])
  const variables: Record<string, string> = {
    QUAYSIDE_SERVER: service.url,
    QUAYSIDE_APPLICATION: 'App',
    UPLOAD_FILE: await fileIn('jenkins-3.0.0.bin'),
    UPLOAD_STREAM: 'default',
    UPLOAD_LABELS: '',
  }
  assert.deepEqual(names, Object.keys(variables))
  const env = { JENKINS_URL: 'https://ci.example.com/', BUILD_NUMBER: '42', QUAYSIDE_API_KEY: bootstrapKey }
  const { stdout } = await runScript(['sh'], script, { ...env, ...variables })
  const { build } = JSON.parse(stdout) as { build: Build }
  assert.deepEqual([build.version, build.build_source, build.build_number], ['3.0.0', 'jenkins', '42'])
})

if (spawnSync('ruby', ['--version']).status === 0)
  test('ships a fastlane action with valid Ruby syntax', async () => {
    const { stdout } = await run('ruby', ['-c', join(folder, 'fastlane/quayside_upload.rb')])
    assert.match(stdout, /Syntax OK/)
  })
