import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../bench/service.ts'

// Generates clients from openapi.json with foreign generators, checks their types together with a program that uploads
// and lists a build, and runs the program against a service. Installs the generators from npm into a temporary folder.
// Also lints the document with redocly and spectral, which must report nothing.

const packages = [
  'typescript@5.9.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
]

/**
 * Rules that the document violates on purpose: endpoints that redirect to a file have no 2xx response, error responses
 * that no operation uses yet stay defined, and every server has another operator.
 */
const redocly = `extends: [recommended]
rules:
  operation-2xx-response: off
  no-unused-components: off
  info-contact: off
`
const spectral = `extends: ['spectral:oas']
rules:
  operation-success-response: off
  oas3-unused-component: off
  info-contact: off
`

/** The steps that are the same for all clients. `call` is bound to a generated client. */
const steps = (calls: string) => `${calls}
const bytes = new TextEncoder().encode('a build')
const application = await createApplication({ name: 'Foreign clients ' + Math.random(), platforms: ['linux'] })
const upload = await requestUpload({
  application_id: application.data.id,
  structure: 'file',
  platform: 'linux',
  stream: 'default',
  source: 'cli-upload',
  version_component_1_major: 1,
  version_component_2_minor: 2,
  version_component_3_patch: 3,
  primary_file: { filename: 'app.tar.gz', size_bytes: bytes.length },
})
const target = upload.primary_file.presigned_data
if (target === undefined || target === null) throw new Error('the response has no URL')
const headers: Record<string, string> = { ...target.headers }
delete headers['Content-Length']
const stored = await fetch(target.url, { method: 'PUT', headers, body: bytes })
if (!stored.ok) throw new Error(await stored.text())
const { build } = await verifyUpload({ pending_upload_id: upload.pending_upload_id })
const listed = await listBuilds(application.data.id, { platforms: 'linux', per_page: 5 })
const version: string | undefined = listed.data[0]?.version
if (version !== '1.2.3' || listed.data[0]?.id !== build.id) throw new Error('the build is not listed')
`

const environment = `const baseUrl = process.env['SERVICE_URL'] + '/api/v1'
const authorization = 'Bearer ' + process.env['SERVICE_KEY']
`

/** Returns the body of a response, and throws if there is none. */
const unwrap = `const unwrap = async <T>(response: Promise<{ data?: T | undefined; error?: unknown }>): Promise<T> => {
  const { data, error } = await response
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
`

const programs = {
  'openapi-typescript': `import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript/schema.ts'
${environment}${unwrap}
const client = createClient<paths>({ baseUrl, headers: { authorization } })
${steps(`const createApplication = (body: paths['/applications']['post']['requestBody']['content']['application/json']) =>
  unwrap(client.POST('/applications', { body }))
const requestUpload = (body: components['schemas']['UploadRequest']) => unwrap(client.POST('/upload/request', { body }))
const verifyUpload = (body: { pending_upload_id: string }) => unwrap(client.POST('/upload/verify', { body }))
const listBuilds = (application_id: string, query: { platforms: string; per_page: number }) =>
  unwrap(client.GET('/applications/{application_id}/builds', { params: { path: { application_id }, query } }))`)}`,
  'hey-api': `import { client } from './hey-api/client.gen.ts'
import * as api from './hey-api/sdk.gen.ts'
import type { CreateApplicationData, RequestUploadData } from './hey-api/types.gen.ts'
${environment}${unwrap}
client.setConfig({ baseUrl, headers: { authorization } })
${steps(`const createApplication = (body: CreateApplicationData['body']) => unwrap(api.createApplication({ body }))
const requestUpload = (body: RequestUploadData['body']) => unwrap(api.requestUpload({ body }))
const verifyUpload = (body: { pending_upload_id: string }) => unwrap(api.verifyUpload({ body }))
const listBuilds = (application_id: string, query: { platforms: string; per_page: number }) =>
  unwrap(api.listBuilds({ path: { application_id }, query }))`)}`,
  orval: `import * as api from './orval/client.ts'
${environment}
type Response<T> = T extends { status: 200 | 201; data: infer Data } ? Data : never
const options = { headers: { authorization } }
const unwrap = async <T extends { status: number; data: unknown }>(response: Promise<T>): Promise<Response<T>> => {
  const { status, data } = await response
  if (status >= 300) throw new Error(JSON.stringify(data))
  return data as Response<T>
}
const send = globalThis.fetch
globalThis.fetch = (url, init) => send(typeof url === 'string' && url.startsWith('/') ? baseUrl + url.replace('/api/v1', '') : url, init)
${steps(`const createApplication = (body: Parameters<typeof api.createApplication>[0]) =>
  unwrap(api.createApplication(body, options))
const requestUpload = (body: Parameters<typeof api.requestUpload>[0]) => unwrap(api.requestUpload(body, options))
const verifyUpload = (body: { pending_upload_id: string }) => unwrap(api.verifyUpload(body, options))
const listBuilds = (application_id: string, query: { platforms: string; per_page: number }) =>
  unwrap(api.listBuilds(application_id, query, options))`)}`,
} as const

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  allowImportingTsExtensions: true,
  skipLibCheck: false,
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
}

const folder = await mkdtemp(join(tmpdir(), 'quayside-foreign-clients-'))
const failures: string[] = []

async function run(
  name: string,
  command: string,
  args: readonly string[],
  {
    env = {},
    isExpected = () => true,
  }: { env?: Record<string, string>; isExpected?: (output: string) => boolean } = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  const isPassed = code === 0 && isExpected(output)
  console.log(`${isPassed ? '✔' : '✖'} ${name}`)
  if (isPassed) return
  failures.push(name)
  console.log(output.slice(0, 8_000))
}

const tool = (name: string, ...args: string[]) => [join('node_modules', '.bin', name), args] as const

try {
  await copyFile(join(import.meta.dirname, '../openapi.json'), join(folder, 'openapi.json'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm install', 'npm', ['install', '--no-audit', '--no-fund', ...packages, '@types/node@24'])
  await run(
    'openapi-typescript generates',
    ...tool(
      'openapi-typescript',
      'openapi.json',
      '--default-non-nullable=false',
      '-o',
      'openapi-typescript/schema.ts',
    ),
  )
  await writeFile(
    join(folder, 'openapi-ts.config.mjs'),
    `export default { input: 'openapi.json', output: { path: 'hey-api', module: { extension: '.ts' } }, plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'] }`,
  )
  await run('@hey-api/openapi-ts generates', ...tool('openapi-ts'))
  await writeFile(
    join(folder, 'orval.config.mjs'),
    `export default { quayside: { input: 'openapi.json', output: { target: 'orval/client.ts', client: 'fetch', mode: 'single' } } }`,
  )
  await run('orval generates', ...tool('orval', '--config', 'orval.config.mjs'))
  const service = await startService()
  try {
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(folder, `${name}.ts`), text)
      await writeFile(
        join(folder, `tsconfig.${name}.json`),
        JSON.stringify({ compilerOptions, files: [`${name}.ts`] }),
      )
      await run(`the client of ${name} type-checks`, ...tool('tsc', '-p', `tsconfig.${name}.json`))
      await run(`the client of ${name} uploads and lists a build`, process.execPath, [`${name}.ts`], {
        env: { SERVICE_URL: service.origin, SERVICE_KEY: service.key },
      })
    }
  } finally {
    await service.stop()
  }
  await writeFile(join(folder, 'redocly.yaml'), redocly)
  await writeFile(join(folder, 'spectral.yaml'), spectral)
  // redocly exits with 0 if it reports only warnings.
  await run('redocly reports nothing', ...tool('redocly', 'lint', 'openapi.json'), {
    isExpected: (output) => !/\bwarnings?\b/.test(output),
  })
  await run(
    'spectral reports nothing',
    ...tool('spectral', 'lint', 'openapi.json', '-r', 'spectral.yaml', '--fail-severity=hint'),
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
if (failures.length > 0) {
  console.log(`failed: ${failures.join(', ')}`)
  process.exitCode = 1
}
