import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import pino from 'pino'
import { webConsole } from './console.ts'
import { createPagePreviews } from './page-previews.ts'

/** Headers with which a browser opens a page. */
export const navigation = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' }
export const script = 'console.log("a script that is long enough to be compressed")'

/**
 * A script that draws a page as the responses to the requests in its path, such as `/?load=/api/v1/session`. It stops at
 * `/hang` and ends its thread at `/crash`.
 */
const previewScript = `
import { parentPort, workerData } from 'node:worker_threads'
const pending = new Map()
let lastId = 0
const load = (pageId, url) => new Promise((resolve) => {
  pending.set(++lastId, resolve)
  parentPort.postMessage({ type: 'load', id: lastId, pageId, url })
})
parentPort.on('message', async (message) => {
  if (message.type === 'loaded') return pending.get(message.id)(message.response)
  const { id, path, isPhone } = message
  const { pathname, searchParams } = new URL(path, workerData.publicUrl)
  if (pathname === '/crash') throw new Error('a crash')
  if (pathname === '/hang') return
  if (pathname === '/fail') return parentPort.postMessage({ type: 'failed', id, reason: 'a reason' })
  const responses = await Promise.all(searchParams.getAll('load').map((url) => load(id, url)))
  const html = '<style nonce="CSP_NONCE"></style><h1>' + (isPhone ? 'phone' : 'desktop') + ' CSP_NONCE</h1>'
  const failures = responses.filter((response) => response && response.status !== 200)
  parentPort.postMessage({ type: 'drawn', id, preview: { html, state: JSON.stringify(responses), failures } })
})
`

/** Writes a build of the console whose title is `name`. */
export async function writeBuild(folder: string, name: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await mkdir(join(folder, 'preview'), { recursive: true })
  await writeFile(join(folder, 'preview/preview-abc.mjs'), previewScript)
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html><head><meta property="csp-nonce" nonce="CSP_NONCE"><title>${name}</title></head><body></body></html>`,
  )
  await writeFile(
    join(folder, 'first-loads.json'),
    JSON.stringify([
      {
        path: ['applications', '$applicationId'],
        scripts: ['assets/builds.js'],
      },
      {
        path: ['applications', '$applicationId'],
        search: { tab: 'files' },
        scripts: ['assets/files.js'],
      },
      { path: ['applications', 'new'], scripts: ['assets/new.js'] },
      ...[
        '',
        'sign-in',
        'invitations/$token',
        'applications/$applicationId/builds/$buildId',
        'crash',
        'hang',
        'fail',
      ].map((path) => ({ path: path === '' ? [] : path.split('/'), scripts: [] })),
    ]),
  )
  await writeFile(join(folder, 'assets/main.js'), script)
  await writeFile(join(folder, 'assets/main.js.br'), brotliCompressSync(script))
}

/** Creates the thread that draws pages, for which documents and previews wait as long as necessary. */
export const createTestPreviews = (limits: Partial<Parameters<typeof createPagePreviews>[0]> = {}) =>
  createPagePreviews({
    publicUrl: 'https://example.com',
    log: pino({ enabled: false }),
    maxWaitMs: 60_000,
    maxLoadMs: 60_000,
    ...limits,
  })

/** Serves a build of the console with a few endpoints of the API. A visitor with the cookie `session=1` has a session. */
export async function startConsole() {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-console-'))
  await writeBuild(folder, 'first')
  const api = Fastify()
  api.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found.' }))
  const hasSession = (cookie: string | undefined) => cookie === 'session=1'
  api.get('/api/v1/session', async ({ headers: { cookie } }, reply) =>
    reply.code(hasSession(cookie) ? 200 : 401).send({ name: '</script><script>alert(1)</script>' }),
  )
  api.get('/api/v1/applications/:id', async ({ headers: { cookie }, url, ip }) => ({
    url,
    ip,
    hasSession: hasSession(cookie),
  }))
  api.get('/api/auth/methods', async () => ({ password: true }))
  const previews = createTestPreviews()
  await api.register(
    webConsole('https://example.com/builds & more', {
      folder,
      listStorageOrigins: async () => ['https://s3.example.com'],
      previews,
    }),
  )
  return {
    folder,
    api,
    async close() {
      await previews.close()
      await api.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the JSON of the element with these attributes. */
export function dataOf(html: string, attributes: string): unknown {
  const [, json] = new RegExp(`<script type="application/json" ${attributes}>(.*?)</script>`).exec(html) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}
