import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser } from '../../../../test/page-browser.ts'
import { portalCalls } from '../../../../test/portals.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

test('has feeds that an independent parser reads completely', async () => {
  const calls = portalCalls(service, tenant)
  const { portal_url: url } = await calls.portal({ name: 'Tom & "Jerry" <builds>' })
  const notes = 'Fixes <b>&amp; a\u0007 "crash"</b> ]]> 🚀\n\n- one\n- two'
  const title = 'Big & <small>'
  const { id, builds } = await calls.release([1, 2], { platforms: ['windows', 'linux'], notes, title })
  const empty = await calls.portal({ name: 'Empty' }, { releases_mode: 'none' })
  const page = await createBrowser().open(url)
  const open = async (format: string, type: string, base = url) => {
    const path = `${new URL(base).pathname}/feed.${format}`
    if (base === url)
      assert.match(
        page.text,
        new RegExp(`<link rel="alternate" type="${type.replace('+', '\\+')}"[^>]* href="${path}"`),
      )
    const feed = await createBrowser().open(`${base}/feed.${format}`, { accept: '*/*' })
    assert.deepEqual([feed.status, feed.headers['content-type']], [200, `${type}; charset=utf-8`])
    return feed.text
  }
  const itemTitle = `App ${tenant.workspaceId} 1.2.0: ${title}`
  const itemUrl = `${url}/releases/${id}`
  const feedTitle = 'Releases of Tom & "Jerry" <builds>'

  const rss = parseRssFeed(await open('rss', 'application/rss+xml'))
  const [item] = rss.items ?? []
  assert.deepEqual([rss.title, rss.link, item?.title, item?.link], [feedTitle, url, itemTitle, itemUrl])
  assert.match(item?.description ?? '', /Fixes &#60;b&#62;|Fixes &lt;b&gt;/)
  const [enclosure] = item?.enclosures ?? []
  assert.deepEqual([enclosure?.length, item?.guid?.isPermaLink], [1000, false])
  const file = await createBrowser().open(enclosure?.url ?? '')
  assert.equal(file.status, 303)

  const atom = parseAtomFeed(await open('atom', 'application/atom+xml'))
  const [entry] = atom.entries ?? []
  assert.deepEqual([atom.title?.value, entry?.title?.value], [feedTitle, itemTitle])
  assert.match(atom.id ?? '', /^tag:localhost,2026:portals\//)
  assert.equal(entry?.links?.filter(({ rel }) => rel === 'enclosure').length, builds.length)
  assert.ok(!Number.isNaN(Date.parse(String(atom.updated))))

  const json = parseJsonFeed(await open('json', 'application/feed+json'))
  const [first] = json.items ?? []
  assert.deepEqual([json.title, first?.title, first?.url], [feedTitle, itemTitle, itemUrl])
  assert.deepEqual(
    first?.attachments?.map(({ size_in_bytes }) => size_in_bytes),
    [1000, 1000],
  )

  const none = empty.portal_url
  assert.deepEqual(parseJsonFeed(await open('json', 'application/feed+json', none)).items ?? [], [])
  assert.equal(
    parseAtomFeed(await open('atom', 'application/atom+xml', none)).title?.value,
    'Releases of Empty',
  )
  assert.equal(parseRssFeed(await open('rss', 'application/rss+xml', none)).title, 'Releases of Empty')
})
