import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { createTestPreviews, dataOf, navigation, startConsole } from './console.fixture.ts'
import { webConsole } from './console.ts'
import { readPageView } from './page-view.ts'

describe('previews of the pages of the console', () => {
  let folder: string
  let api: FastifyInstance
  let close: () => Promise<void>
  before(async () => {
    ;({ folder, api, close } = await startConsole())
  })
  after(() => close())

  test('shows what a page looks like, drawn in the name of the visitor', async () => {
    const { body, headers } = await api.inject({
      url: '/?load=/api/v1/session&load=/api/v1/applications/abc',
      headers: { ...navigation, cookie: 'session=1', 'x-forwarded-for': '192.0.2.7' },
    })
    const [, nonce] =
      /style-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
    assert.match(
      body,
      /<div id="preview" inert><style nonce="[^"]+"><\/style><h1>desktop CSP_NONCE<\/h1><\/div>/,
    )
    assert.ok(body.includes(`<style nonce="${nonce}">`))
    const [session, application] = dataOf(body, 'id="preview-state"') as { status: number; body: string }[]
    assert.deepEqual(
      [session?.status, JSON.parse(application?.body ?? '')],
      [200, { url: '/api/v1/applications/abc', ip: '127.0.0.1', hasSession: true }],
    )
    assert.equal(body.includes('data-url'), false)
  })

  test('draws a page for the visitor who opens it, although others open pages at the same time', async () => {
    const open = async (cookie: string) => {
      const { body } = await api.inject({
        url: '/?load=/api/v1/applications/abc',
        headers: { ...navigation, cookie },
      })
      const [response] = dataOf(body, 'id="preview-state"') as { body: string }[]
      return (JSON.parse(response?.body ?? '') as { hasSession: boolean }).hasSession
    }
    const cookies = ['session=1', 'session=2', 'session=1', 'session=3', 'session=1', 'session=4']
    assert.deepEqual(await Promise.all(cookies.map(open)), [true, false, true, false, true, false])
  })

  test('takes the time zone and the hidden columns from a cookie that is well-formed', () => {
    const view = (value: string) => readPageView(`other=1; quayside_view=${value}`)
    assert.deepEqual(view('Europe/Lisbon!'), { timeZone: 'Europe/Lisbon', hiddenColumns: [] })
    assert.deepEqual(view('America/Argentina/Ushuaia!stream.age'), {
      timeZone: 'America/Argentina/Ushuaia',
      hiddenColumns: ['stream', 'age'],
    })
    for (const value of [
      '',
      'Europe/Lisbon',
      'Europe/Nowhere!',
      '../../etc/passwd!',
      'UTC!<script>',
      'UTC!a..b',
      `UTC!${'a.'.repeat(100)}a`,
      `${'A'.repeat(5_000)}!`,
    ])
      assert.deepEqual(view(value), { timeZone: undefined, hiddenColumns: [] }, value.slice(0, 40))
    assert.deepEqual(readPageView(undefined), { timeZone: undefined, hiddenColumns: [] })
  })

  test('draws a page for a phone', async () => {
    for (const header of [{ 'sec-ch-ua-mobile': '?1' }, { 'user-agent': 'Safari (iPhone) Mobile/15E148' }]) {
      const { body } = await api.inject({ url: '/', headers: { ...navigation, ...header } })
      assert.match(body, /<h1>phone/)
    }
  })

  test('embeds text that looks like markup without changing it', async () => {
    const { body } = await api.inject({
      url: '/?load=/api/v1/session',
      headers: { ...navigation, cookie: 'session=1' },
    })
    assert.equal(body.includes('<script>alert'), false)
    const [response] = dataOf(body, 'id="preview-state"') as { body: string }[]
    assert.deepEqual(JSON.parse(response?.body ?? ''), { name: '</script><script>alert(1)</script>' })
  })

  test('embeds responses that report an error', async () => {
    const { body } = await api.inject({ url: '/?load=/api/v1/session', headers: navigation })
    assert.deepEqual(dataOf(body, 'data-url="/api/v1/session" data-status="401"'), {
      name: '</script><script>alert(1)</script>',
    })
  })

  test('sends requests of a page only to the API', async () => {
    const urls = ['/livez', '/storage/x', '//evil.example/api/v1/session', 'https://evil.example/api/v1/x']
    const { body } = await api.inject({
      url: `/?${urls.map((url) => `load=${encodeURIComponent(url)}`).join('&')}`,
      headers: navigation,
    })
    assert.deepEqual(dataOf(body, 'id="preview-state"'), [null, null, null, null])
  })

  test('sends the page without a preview if it cannot be drawn', async () => {
    const { statusCode, body } = await api.inject({ url: '/fail', headers: navigation })
    assert.equal(statusCode, 200)
    assert.doesNotMatch(body, /id="preview/)
    assert.match((await api.inject({ url: '/', headers: navigation })).body, /id="preview"/)
  })

  describe('with limits that are reached', () => {
    const limited = async (limits: { maxWaitMs?: number; maxLoadMs?: number; maxIdleMs?: number }) => {
      const drawn = createTestPreviews(limits)
      const other = Fastify()
      const released = Promise.withResolvers<void>()
      let held = 0
      other.get('/api/v1/held', async () => {
        held++
        await released.promise
        return {}
      })
      other.get('/api/v1/slow', () => new Promise(() => {}))
      other.get('/api/v1/fast', async () => ({}))
      let open = 0
      let most = 0
      other.get('/api/v1/counted', async () => {
        most = Math.max(most, ++open)
        await pause(20)
        open--
        return {}
      })
      await other.register(webConsole('https://example.com', { folder, previews: drawn }))
      return {
        open: async (url: string) => (await other.inject({ url, headers: navigation })).body,
        mostAtOnce: () => most,
        held: () => held,
        release: () => released.resolve(),
        [Symbol.asyncDispose]: async () => {
          await drawn.close()
          await other.close()
        },
      }
    }

    test('draws at most two pages at once, so that the first are not late', async () => {
      await using service = await limited({ maxWaitMs: 60_000, maxLoadMs: 60_000 })
      const urls = Array.from({ length: 40 }, () => '/?load=/api/v1/counted')
      const bodies = await Promise.all(urls.map(service.open))
      assert.equal(bodies.filter((body) => body.includes('id="preview"')).length, urls.length)
      assert.equal(service.mostAtOnce(), 2)
    })

    test('draws no page whose document has already been sent', async () => {
      await using service = await limited({ maxWaitMs: 300, maxLoadMs: 60_000 })
      const first = [service.open('/?load=/api/v1/held'), service.open('/?load=/api/v1/held')]
      while (service.held() < 2) await pause(1)
      assert.doesNotMatch(await service.open('/?load=/api/v1/counted'), /id="preview"/)
      await Promise.all(first)
      service.release()
      // A page that begins later has waited behind the one above.
      while (service.held() < 3) await service.open('/?load=/api/v1/held')
      assert.equal(service.mostAtOnce(), 0)
    })

    test('draws a page without a response that takes too long', async () => {
      await using service = await limited({ maxLoadMs: 3_000 })
      // The limit includes the start of the thread.
      await service.open('/')
      const body = await service.open('/?load=/api/v1/slow&load=/api/v1/fast')
      const [slow, fast] = dataOf(body, 'id="preview-state"') as ({ status: number } | null)[]
      assert.deepEqual([slow, fast?.status], [null, 200])
    })

    test('sends a page without a preview if drawing it takes too long', async () => {
      await using service = await limited({ maxWaitMs: 300 })
      const body = await service.open('/hang')
      assert.doesNotMatch(body, /id="preview/)
      // Browsers warn about a script that is preloaded and not used.
      assert.match(body, /<script src="\.\/preview-styles\.js">/)
    })

    test('sends pages without previews for a while after the thread has failed', async () => {
      await using service = await limited({})
      assert.match(await service.open('/'), /id="preview"/)
      assert.doesNotMatch(await service.open('/crash'), /id="preview/)
      assert.doesNotMatch(await service.open('/'), /id="preview/)
    })

    test('starts the thread again after it has ended because nobody opened a page', async () => {
      await using service = await limited({ maxIdleMs: 1 })
      for (let count = 0; count < 3; count++) {
        assert.match(await service.open('/'), /id="preview"/)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
  })
})
