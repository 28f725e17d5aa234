import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'

const folder = join(import.meta.dirname, '../dist')
const suffix = '-next'

/**
 * Serves what an upgraded server does: a console whose files have other names. The pages that are open still name the old files,
 * which no longer exist.
 */
export async function serveNextVersion(context: BrowserContext, serviceUrl: string): Promise<void> {
  const names = readdirSync(join(folder, 'assets'))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => RegExp.escape(name))
  const anyName = new RegExp(names.join('|'), 'g')
  const renamed = (text: string) => text.replaceAll(anyName, (name) => name.replace(/(?=\.\w+$)/, suffix))
  await context.route(`${serviceUrl}/**`, async (route) => {
    const request = route.request()
    const path = request.url().slice(`${serviceUrl}/`.length)
    if (/^assets\/.*\.(js|css)$/.test(path)) {
      if (!path.includes(`${suffix}.`)) return route.fulfill({ status: 404 })
      const body = renamed(readFileSync(join(folder, path.replace(`${suffix}.`, '.')), 'utf8'))
      return route.fulfill({ contentType: path.endsWith('js') ? 'text/javascript' : 'text/css', body })
    }
    const isPage = request.method() === 'GET' && (request.headers()['accept'] ?? '').startsWith('text/html')
    if (!isPage && path !== 'version.json') return route.continue()
    const response = await route.fetch()
    return route.fulfill({ response, body: renamed(await response.text()) })
  })
}
