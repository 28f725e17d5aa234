import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, findOverflow } from './visit.ts'

/** The limit for a page and its style sheet, before images. */
const maxPageBytes = 50 * 1024

describe('the pages of portals in a browser without scripts', { skip: withoutChromium }, () => {
  let console: Console
  let paths: { name: string; url: string }[]

  before(async () => {
    console = await sharedConsole()
    const { client, ids } = await console.fill()
    const application_id = ids['applicationId'] ?? ''
    const create = async (fields: { type: 'public' | 'private'; name: string }) => {
      const { data } = await client.createPortal({ body: { accent_color: '#e0a800', ...fields } })
      const body = { streams_mode: 'all', releases_mode: 'all' } as const
      return (await client.replacePortalApplication({ portal_id: data.id, application_id, body })).data
    }
    const { portal_url: url, id } = await create({ type: 'public', name: 'Acme builds' })
    const closed = await create({ type: 'private', name: 'Acme previews' })
    const { data: empty } = await client.createPortal({ body: { name: 'Empty', type: 'public' } })
    const [release] = (await client.listPortalReleases({ portal_id: id })).data
    const [stream] = (await client.listStreams({ application_id })).data
    assert.ok(release && stream)
    paths = [
      { name: 'front', url },
      { name: 'nothing-found', url: `${url}?q=nothing+at+all` },
      { name: 'release', url: `${url}/releases/${release.id}` },
      { name: 'stream', url: `${url}/streams/${stream.id}` },
      { name: 'changelog', url: `${url}/changelog` },
      { name: 'not-found', url: `${url}/releases/unknown` },
      { name: 'empty', url: empty.portal_url },
      { name: 'email', url: closed.portal_url },
      { name: 'code', url: closed.portal_url },
    ]
  })

  test('fit a phone, can be used by everyone, and load nothing from others', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1440]) {
        const options = { colorScheme, viewport: { width, height: 800 } }
        const context = await console.browser.newContext({ ...options, javaScriptEnabled: false })
        const page = await context.newPage()
        // axe needs scripts, of which the pages have none.
        const inspected = await console.browser.newContext(options)
        const inspector = await inspected.newPage()
        const foreign: string[] = []
        page.on('request', (request) => {
          if (!request.url().startsWith(console.url)) foreign.push(request.url())
        })
        for (const { name, url } of paths) {
          const response = await page.goto(url)
          const bytes = (await response?.body())?.length ?? 0
          if (name === 'code') {
            await page.fill('#email', `${colorScheme}-${width}@elsewhere.example`)
            await page.click('main button')
            await page.waitForURL(/\/code$/)
          }
          // The notes of releases, which teams write, can be of any length.
          if (name !== 'changelog')
            assert.ok(bytes > 1_000 && bytes < maxPageBytes, `${name}: ${bytes} bytes`)
          const where = `${name} at ${width} px, ${colorScheme}`
          assert.deepEqual(await findOverflow(page), [], where)
          await inspected.addCookies(await context.cookies())
          await inspector.goto(page.url())
          assert.deepEqual(await findBarriers(inspector), [], where)
        }
        assert.deepEqual(foreign, [])
        await context.close()
        await inspected.close()
      }
  })
})
