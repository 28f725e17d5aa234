import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { insertMember } from '../../server/test/people.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('files dropped on a page', { skip: withoutChromium }, () => {
  let console: Console
  before(async () => {
    console = await sharedConsole()
  })

  test('go nowhere from an application to which the person may not upload', async () => {
    const { service, url } = console
    const tenant = await service.tenant()
    const other = await service.call('POST', '/applications', {
      key: tenant.workspaceKey,
      body: { name: 'Other', platforms: ['linux'] },
    })
    const person = await insertMember(service, tenant, { applicationRole: 'readonly' })
    await service.call('POST', `/applications/${other.body.data.id}/members`, {
      key: tenant.workspaceKey,
      body: { user_id: person, role: 'developer' },
    })
    const visitor = await console.newPage({ cookie: await service.signIn(person, tenant.workspaceId) })
    const { page } = visitor
    const drag = (type: string) =>
      page.evaluate((name) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['content'], 'secret-1.0.0.zip'))
        const event = new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer })
        return !document.body.dispatchEvent(event)
      }, type)
    await visitor.open(`${url}/applications/${tenant.applicationId}`)
    await drag('dragenter')
    await page.getByText('You do not have permission to upload here').waitFor()
    assert.ok(await drag('drop'), 'the browser would open the file')
    await page.getByText('You do not have permission to upload here').waitFor({ state: 'detached' })

    await visitor.open(`${url}/applications/${other.body.data.id}`)
    await drag('dragenter')
    await page.getByText('Drop to upload to Other').waitFor()
    await visitor.open(`${url}/upload`)
    assert.equal(await page.getByText('secret-1.0.0.zip').count(), 0)
    assert.deepEqual(visitor.takeProblems(), [])
  })
})
