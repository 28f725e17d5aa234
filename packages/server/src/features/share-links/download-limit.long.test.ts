import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser } from '../../../test/page-browser.ts'
import { shareCalls } from '../../../test/share-links.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const visitors = 200
const limit = 7

test('gives the file to exactly max_downloads of 200 parallel visitors', async () => {
  const { url, bytes, count } = await shareCalls(service, tenant).createLink({ max_downloads: limit })
  const visit = async () => {
    const browser = createBrowser()
    const page = await browser.open(url)
    // None of these counts: browsers and chat programs send them before a person decides to download.
    await browser.head(`${url}/download`)
    await browser.open(`${url}/download`, { 'sec-purpose': 'prefetch;prerender' })
    await browser.open(`${url}/download`, { purpose: 'prefetch' })
    const form = page.forms.find(({ label }) => label.startsWith('Download'))
    if (form === undefined) return { browser, location: undefined }
    return { browser, location: (await browser.submit(page, form.label)).location }
  }
  const outcomes = await Promise.all(Array.from({ length: visitors }, visit))
  const served = outcomes.filter(({ location }) => location?.includes('/storage/') ?? false)
  assert.deepEqual([served.length, await count()], [limit, limit])
  for (const { browser, location = '' } of served) {
    const rest = await fetch(location, { headers: { range: 'bytes=1000-' } })
    assert.deepEqual(Buffer.from(await rest.arrayBuffer()), Buffer.from(bytes).subarray(1000))
    // The same browser may begin again after the limit is reached.
    const again = await browser.open(`${url}/download`)
    const whole = await fetch(again.location ?? assert.fail('the browser was refused'))
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), Buffer.from(bytes))
  }
  assert.equal((await createBrowser().open(url)).status, 410)
  assert.deepEqual([await count(), await recorded()], [limit, limit])
})

const recorded = async (): Promise<number> => {
  const path = `/applications/${tenant.applicationId}/downloads?channel=share-link`
  return (await service.call('GET', path, { key: tenant.workspaceKey })).body.data.length
}
