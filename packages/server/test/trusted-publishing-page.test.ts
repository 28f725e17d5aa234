import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { startIssuer, type Issuer } from './oidc-issuer.ts'

const run = promisify(execFile)
const page = new URL('../../../docs/trusted-publishing.md', import.meta.url)
const missing = ['curl', 'jq', 'bash'].find((tool) => spawnSync(tool, ['--version']).status !== 0)

let service: Service
let tenant: Tenant
let issuer: Issuer
let text: string
let folder: string

/** Returns the lines of every `run: |` or `- >` step in a workflow, without indentation. */
function steps(yaml: string, opening: RegExp): string[] {
  return yaml
    .split(opening)
    .slice(1)
    .map((rest) => {
      const lines = rest.split('\n').slice(1)
      const indent = /^ */.exec(lines[0] ?? '')?.[0] ?? ''
      const end = lines.findIndex((line) => line.trim() !== '' && !line.startsWith(indent))
      return lines
        .slice(0, end === -1 ? undefined : end)
        .map((line) => line.slice(indent.length))
        .join('\n')
    })
}

const workflow = (title: string) =>
  new RegExp(`## \\d\\. ${title}\n.*?\`\`\`yaml\n(.*?)\n\`\`\``, 's').exec(text)?.[1] ?? ''

function shell(script: string, variables: Record<string, string>) {
  const env = {
    PATH: process.env['PATH'],
    QUAYSIDE: service.url,
    APPLICATION: tenant.applicationId,
    ...variables,
  }
  return run('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env })
}

const token = () =>
  issuer.token({ sub: 'x', repository_id: '123456789', ref: 'refs/tags/v1', aud: service.url })

describe('docs/trusted-publishing.md', { skip: missing !== undefined && `needs ${missing}` }, () => {
  before(async () => {
    service = await startOwnService()
    tenant = await service.tenant()
    issuer = await startIssuer()
    text = await readFile(page, 'utf8')
    folder = await mkdtemp(join(tmpdir(), 'quayside-page-'))
  })
  after(async () => {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('documents a command that creates a trusted publisher', async () => {
    const [, command = ''] = /```sh\n(.*?)\n```/s.exec(text) ?? []
    const script = command
      .replace('https://builds.example.com', service.url)
      .replace('https://token.actions.githubusercontent.com', issuer.url)
    const { stdout } = await shell(script, { KEY: tenant.workspaceKey })
    assert.match(stdout, /"message":"Trusted publisher created\."/)
  })

  test('documents GitHub Actions steps that upload a build and mask the API key', async () => {
    const github = createServer((request, response) => {
      assert.equal(request.headers.authorization, 'bearer runner')
      assert.equal(new URL(request.url ?? '', 'http://x').searchParams.get('audience'), service.url)
      response.end(JSON.stringify({ value: token() }))
    })
    github.listen(0, '127.0.0.1')
    await once(github, 'listening')
    const [, getKey = '', upload = ''] = ['', ...steps(workflow('GitHub Actions'), /run: \|/)]
    const file = join(folder, 'github-env')
    await writeFile(join(folder, 'app.tar.gz'), randomBytes(1000))
    const { stdout } = await shell(getKey, {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}/token?api=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner',
      GITHUB_ENV: file,
    })
    github.close()
    const [, key = ''] = /^QUAYSIDE_API_KEY=(\S+)$/m.exec(await readFile(file, 'utf8')) ?? []
    assert.equal(stdout, `::add-mask::${key}\n`)
    const run = {
      GITHUB_REF_NAME: 'v1',
      GITHUB_SHA: 'a'.repeat(40),
      GITHUB_RUN_ID: '7',
      QUAYSIDE_API_KEY: key,
    }
    const uploaded = await shell(upload, run)
    assert.ok(uploaded.stdout.startsWith(`${service.url}/`), uploaded.stdout)
    const builds = await service.call('GET', `/applications/${tenant.applicationId}/builds`, { key })
    assert.deepEqual([builds.body.pagination.total, builds.body.data[0].scm.scm_branch], [1, 'v1'])
  })

  test('documents a GitLab CI step that either obtains an API key or prints the reason and fails', async () => {
    const yaml = workflow('GitLab CI')
    const [folded = ''] = steps(yaml, /- >/)
    const script = `${folded.replaceAll('\n', ' ')}\necho "$QUAYSIDE_API_KEY"`
    const { stdout } = await shell(script, { QUAYSIDE_TOKEN: token() })
    assert.match(stdout, /^qsa_\w+\n$/)
    const [, list = ''] = /- '(curl .*)'/.exec(yaml) ?? []
    const { stdout: listed } = await shell(list, { QUAYSIDE_API_KEY: stdout.trim() })
    assert.match(listed, /"pagination"/)
    const mismatched = issuer.token({
      sub: 'x',
      repository_id: '123456789',
      ref: 'refs/heads/dev',
      aud: service.url,
    })
    await assert.rejects(shell(script, { QUAYSIDE_TOKEN: mismatched }), {
      stderr: /does not match this token: `ref` is "refs\/heads\/dev"/,
      stdout: '',
    })
  })
})
