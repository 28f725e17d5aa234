import { randomBytes } from 'node:crypto'
import { glob, readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consoleFolder } from '../../config/package-files.ts'
import { acceptsHtml, isNavigation } from '../../http/wire/accept.ts'
import { acceptedEncoding, compressParts, lengthMask } from '../../http/wire/compression.ts'
import { readFirstLoads, type FindFirstLoad } from './first-loads.ts'
import type { PagePreviews } from './page-previews.ts'
import { dataElement, loadForPage, responseElement } from './page-responses.ts'
import { readPageView } from './page-view.ts'
import type { PagePreview } from './preview-messages.ts'

const page = 'index.html'
const noncePlaceholder = 'CSP_NONCE'
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

type Options = {
  folder?: string
  /** Returns the origins to which the console sends uploads, except for that of the service. */
  listStorageOrigins?: () => Promise<string[]>
  /** Draws what the page looks like before its scripts run. */
  previews?: PagePreviews
}

const previewPath = /^preview\/preview-[\w-]+\.mjs$/
/** Compressed copies, and the script that runs on the server. */
const notServed = /\.(br|gz|mjs)$/

const notBuilt = 'The console is not built. Run `npm run build` in the folder of the code.'

/**
 * Serves the console: its files, and its page at every path that its router knows. The page and the policy for its
 * content share a nonce, with which the design system adds its style elements.
 */
export function webConsole(
  publicUrl: string,
  { folder = consoleFolder, listStorageOrigins = async () => [], previews }: Options = {},
) {
  const findSite = createSiteFinder(folder, `${new URL(publicUrl).pathname.replace(/\/$/, '')}/`)

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    { site, scripts }: { site: Site; scripts: readonly string[] },
  ): Promise<FastifyReply> {
    const nonce = randomBytes(18).toString('base64')
    const links = scripts
      .map((path) => `<link rel="modulepreload" crossorigin href="./${path}" nonce="${nonce}">`)
      .join('\n    ')
    const start = site.head.replaceAll(noncePlaceholder, nonce).replace('</head>', `  ${links}\n  </head>`)
    const isGzip = acceptedEncoding(request.headers['accept-encoding'], ['gzip']) !== undefined
    if (isGzip) reply.header('content-encoding', 'gzip')
    reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': pagePolicy(nonce, await listStorageOrigins()),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
        // Paths of the console contain the tokens of invitations and password resets.
        'referrer-policy': 'same-origin',
        vary: 'accept, accept-encoding',
      })
      .type('text/html; charset=utf-8')
    if (request.method === 'HEAD') return reply.send(Readable.from([]))
    const parts = documentParts(start, () => drawPreview(previews, request, site), { nonce, tail: site.tail })
    return reply.send(isGzip ? compressParts(parts) : Readable.from(parts))
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = '/'] = request.url.split('?', 1)
    const name = path.slice(1)
    const site = await findSite()
    if (site?.files.has(name) === true && name !== page && !notServed.test(name))
      return sendAsset(request, reply, site, { folder, path: name })
    if (site === undefined && isNavigation(request))
      return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
    const scripts = site?.findFirstLoad(request.url)
    if (site === undefined || scripts === undefined || !isPageRequest(request)) {
      reply.callNotFound()
      return reply
    }
    return sendPage(request, reply, { site, scripts })
  }
  return async (api: FastifyInstance): Promise<void> => {
    api.get('/', serve)
    api.get('/*', serve)
  }
}

/** Returns what the page looks like before its scripts run, and the data with which it was drawn. */
async function drawPreview(
  previews: PagePreviews | undefined,
  request: FastifyRequest,
  { previewScript: script }: Site,
): Promise<PagePreview | undefined> {
  if (script === undefined) return undefined
  const { headers, url: path } = request
  const userAgent = headers['user-agent'] ?? ''
  return previews?.draw({
    script,
    path,
    userAgent,
    ...readPageView(headers.cookie),
    isPhone: headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(userAgent),
    load: (url) => loadForPage(request.server, request, url),
  })
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { files }: Site,
  { folder, path }: { folder: string; path: string },
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

/** Yields a document in the order in which its parts become available. */
async function* documentParts(
  head: string,
  draw: () => Promise<PagePreview | undefined>,
  { nonce, tail }: { nonce: string; tail: string },
): AsyncGenerator<string> {
  yield head
  const preview = await draw()
  const content = preview === undefined ? stylesElement : previewElements(preview, nonce)
  yield `${content}${lengthMask(content)}${tail}`
}

/** The head of the document preloads the script, so it is also used without a preview. */
const stylesElement = '<script src="./preview-styles.js"></script>'

/** Nothing in a preview can be used, because its links and buttons do nothing until the page takes its place. */
const previewElements = ({ html, state, failures }: PagePreview, nonce: string): string =>
  [
    `<div id="preview" inert>${html.replaceAll(`nonce="${noncePlaceholder}"`, `nonce="${nonce}"`)}</div>`,
    stylesElement,
    dataElement('id="preview-state"', state),
    ...failures.map(responseElement),
  ].join('\n')

/** Returns whether a request opens a page. Clients of the API that request JSON get an error instead. */
const isPageRequest = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || acceptsHtml(headers.accept)

type Site = {
  /** The start of the document with the base element and a placeholder for the nonce. */
  head: string
  /** The rest of the document, after the place of the preview. */
  tail: string
  findFirstLoad: FindFirstLoad
  /** The script of the thread that draws pages. */
  previewScript: string | undefined
  /** The paths of all files. */
  files: Set<string>
}

/** Creates a function that returns the files of the latest build; undefined if there is none. Each build replaces the folder. */
function createSiteFinder(folder: string, basePath: string) {
  let known: { builtAtMs: number; site: Promise<Site> } | undefined
  return async (): Promise<Site | undefined> => {
    const status = await stat(join(folder, page)).catch(() => undefined)
    if (status === undefined) return undefined
    if (known?.builtAtMs !== status.mtimeMs)
      known = { builtAtMs: status.mtimeMs, site: readSite(folder, basePath) }
    return known.site
  }
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
  const [head = '', tail = ''] = html
    .replace('<head>', `<head>\n    <base href="${base}" />`)
    .split(/(?=<\/body>|$)/, 2)
  const previewScript = [...files].find((path) => previewPath.test(path))
  return {
    files,
    head,
    tail,
    findFirstLoad: await readFirstLoads(folder),
    previewScript: previewScript && join(folder, previewScript),
  }
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
