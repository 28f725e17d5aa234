import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { consoleRoutes } from './console-routes.ts'
import { fillRoute, sharedConsole, type Console } from './console.ts'
import { alarm, payloads } from './hostile-payloads.ts'
import { createHostileWorkspace, type HostileWorkspace } from './hostile-workspace.ts'
import { sectionsOf } from './sections.ts'
import type { Visitor } from './visit.ts'

const isSlow = process.env['QUAYSIDE_SLOW_TESTS'] === '1'
/** By default, the pages of the resources of every tenth payload are visited. The lists contain those of all payloads. */
const step = isSlow ? 1 : 10

describe('hostile text in every field', { skip: withoutChromium }, () => {
  let console: Console
  let hostile: HostileWorkspace
  let visitor: Visitor
  let ids: Record<string, string>
  const ran: unknown[] = []

  before(async () => {
    console = await sharedConsole()
    hostile = await createHostileWorkspace(console.service)
    const { fixture } = hostile
    ids = {
      applicationId: fixture.applicationId,
      buildId: fixture.ids['build_id']!,
      releaseId: fixture.ids['release_id']!,
      webhookId: fixture.ids['webhook_id']!,
      portalId: fixture.ids['portal_id']!,
      groupId: fixture.ids['distribution_group_id']!,
    }
    visitor = await console.newPage({ cookie: fixture.ownerSession })
    await visitor.page.context().exposeFunction(alarm, (index: unknown) => void ran.push(index))
    visitor.page.on('dialog', (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
  })

  test('reaches the fields of the API', (context) => {
    context.diagnostic(`${hostile.accepted.size} fields accept payloads: ${[...hostile.accepted].join(', ')}`)
    context.diagnostic(`${hostile.rejected.size} accept none: ${[...hostile.rejected].join(', ')}`)
    assert.equal(payloads.length, 60)
    assert.ok(hostile.accepted.size > 60, `${hostile.accepted.size} fields`)
    for (const name of ['buildId', 'releaseId', 'portalId', 'groupId'])
      assert.ok(hostile.created.filter((each) => name in each).length > 50, name)
  })

  test('runs on no page', async () => {
    await visitor.open(console.url)
    for (const { path, isPublic } of consoleRoutes()) {
      if (isPublic) continue
      await visitor.navigate(fillRoute(path, ids))
      await assertHarmless(visitor.page, path)
      for (const section of await sectionsOf(visitor.page)) {
        await section.open(visitor)
        await assertHarmless(visitor.page, `${path} ${section.name}`)
      }
    }
  })

  test('is shown as text on the pages of the resources', async () => {
    for (let index = 0; index < payloads.length; index += step) {
      const own = { ...ids, ...hostile.created[index] }
      for (const { path } of consoleRoutes()) {
        const names = [...path.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)
        if (!names.some((name) => name in (hostile.created[index] ?? {}))) continue
        await visitor.navigate(fillRoute(path, own))
        await assertHarmless(visitor.page, `${path}, payload ${index}`)
      }
    }
  })

  async function assertHarmless(page: Page, where: string): Promise<void> {
    const active = await page.evaluate(() => {
      const isHarmless = (url: string) =>
        /^(https?:|mailto:|blob:|data:image\/|quayside:|itms-services:)/.test(url)
      return [
        ...[...document.querySelectorAll('a[href],area[href]')].map(
          (link) => (link as HTMLAnchorElement).href,
        ),
        ...[...document.querySelectorAll('[src]')].map((element) => (element as HTMLImageElement).src),
        ...[...document.querySelectorAll('form')].map(({ action }) => action),
      ]
        .filter((url) => !isHarmless(url))
        .concat(
          [...document.querySelectorAll('iframe,object,embed,base ~ base')].map(({ outerHTML }) => outerHTML),
        )
    })
    assert.deepEqual(active, [], where)
    assert.deepEqual(visitor.takeProblems(), [], where)
    assert.deepEqual(ran, [], where)
  }
})
