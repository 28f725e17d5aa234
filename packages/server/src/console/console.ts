import { randomBytes } from 'node:crypto'
import { glob, readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from '../http/compression.ts'

/** The folder into which scripts/build-web.ts builds the console. */
const consoleFolder = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const page = 'index.html'
const noncePlaceholder = 'CSP_NONCE'
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The paths below which an unknown URL is not a page of the console. */
const otherPaths = /^\/(api|storage|docs|cli|livez|readyz|assets)(\/|$)/

const notBuilt = 'The console is not built. Run `npm run build` in the folder of the code.'

/**
 * Serves the console: its files, and its page for every navigation to a path that belongs to nothing else. The page and
 * the policy for its content share a nonce, with which the design system adds its style elements.
 */
export function webConsole(
  publicUrl: string,
  {
    folder = consoleFolder,
    listStorageOrigins = async () => [],
  }: { folder?: string; listStorageOrigins?: () => Promise<string[]> } = {},
) {
  const basePath = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/`
  let known: { builtAtMs: number; site: Promise<Site> } | undefined

  /** Returns the files of the latest build; undefined if there is none. The folder is replaced by each build. */
  async function findSite(): Promise<Site | undefined> {
    const status = await stat(join(folder, page)).catch(() => undefined)
    if (status === undefined) return undefined
    if (known?.builtAtMs !== status.mtimeMs)
      known = { builtAtMs: status.mtimeMs, site: readSite(folder, basePath) }
    return known.site
  }

  async function sendPage(reply: FastifyReply, { html }: Site): Promise<FastifyReply> {
    const nonce = randomBytes(18).toString('base64')
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': pagePolicy(nonce, await listStorageOrigins()),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
        // Paths of the console contain the tokens of invitations and password resets.
        'referrer-policy': 'same-origin',
      })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(noncePlaceholder, nonce))
  }

  async function sendAsset(
    request: FastifyRequest,
    reply: FastifyReply,
    { files }: Site,
    path: string,
  ): Promise<FastifyReply> {
    const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    const suffix = encoding === 'br' ? '.br' : '.gz'
    const isCompressed = encoding !== undefined && files.has(path + suffix)
    if (isCompressed) reply.header('content-encoding', encoding)
    const isHashed = path.startsWith('assets/')
    return reply
      .headers({
        vary: 'accept-encoding',
        'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .type(types[extname(path)] ?? 'application/octet-stream')
      .send(await readFile(join(folder, isCompressed ? path + suffix : path)))
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = '/'] = request.url.split('?', 1)
    const name = path.slice(1)
    const site = await findSite()
    if (site?.files.has(name) === true && name !== page && !/\.(br|gz)$/.test(name))
      return sendAsset(request, reply, site, name)
    if (otherPaths.test(path) || !isNavigation(request)) {
      reply.callNotFound()
      return reply
    }
    return site === undefined
      ? reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
      : sendPage(reply, site)
  }
  return async (api: FastifyInstance): Promise<void> => {
    api.get('/', serve)
    api.get('/*', serve)
  }
}

/** Returns whether a browser asks for a page. Clients of the API get an error in JSON for an unknown path instead. */
const isNavigation = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || headers.accept?.includes('text/html') === true

type Site = {
  /** The page with the base element and a placeholder for the nonce. */
  html: string
  /** The paths of all files. */
  files: Set<string>
}

async function readSite(folder: string, basePath: string): Promise<Site> {
  const files = new Set<string>()
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true }))
    if (entry.isFile())
      files.add(
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      )
  const base = basePath.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const html = await readFile(join(folder, page), 'utf8')
  return { files, html: html.replace('<head>', `<head>\n    <base href="${base}" />`) }
}

/** `storageOrigins` are the origins to which the console sends uploads, except for that of the service. */
const pagePolicy = (nonce: string, storageOrigins: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...storageOrigins].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
