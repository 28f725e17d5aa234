import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { everyNth, isFullSize, someOf } from '../../server/test/acceptance/full-size.ts'
import { consoleRoutes } from '../build/console-routes.ts'
import { withoutChromium } from './chromium.ts'
import { fillRoute, sharedConsole, type Console } from './console.ts'
import { assertInert } from './hostile-documents.ts'
import { alarm, isElement, payloads } from './hostile-payloads.ts'
import { createHostileWorkspace, createLink, linkKinds, type HostileWorkspace } from './hostile-workspace.ts'
import { sectionsOf } from './sections.ts'
import type { Visitor } from './visit.ts'

/** Outside CI, each payload is sent to one of its pages, in turn. The lists contain those of all payloads. */
const inTurn = <T>(values: readonly T[], index: number): readonly T[] => someOf(values, values.length, index)

/** Returns one of the pages, in turn, for an element: several that each page gets run if it inserts text as HTML. */
const pagesFor = <T>(pages: readonly T[], index: number): readonly T[] =>
  isFullSize && !isElement(index) ? pages : everyNth(pages, pages.length, index)

describe('hostile text in every field', { skip: withoutChromium }, () => {
  let console: Console
  let hostile: HostileWorkspace
  let visitor: Visitor
  let outsider: Visitor
  let blank: Page
  let ids: Record<string, string>
  const ran: unknown[] = []

  before(async () => {
    console = await sharedConsole()
    hostile = await createHostileWorkspace(console.service)
    const { fixture } = hostile
    ids = {
      applicationId: fixture.applicationId,
      buildId: fixture.ids['build_id']!,
      viewId: fixture.ids['view_id']!,
      releaseId: fixture.ids['release_id']!,
      webhookId: fixture.ids['webhook_id']!,
      portalId: fixture.ids['portal_id']!,
      channelId: fixture.ids['channel_id']!,
      groupId: fixture.ids['distribution_group_id']!,
      teamId: fixture.ids['team_id']!,
    }
    visitor = await openWatched(fixture.ownerSession)
    outsider = await openWatched(null)
    blank = await outsider.page.context().newPage()
  })
  after(async () => {
    for (const each of [visitor, outsider]) await each.page.context().close()
  })

  async function openWatched(cookie: string | null): Promise<Visitor> {
    const opened = await console.newPage({ cookie })
    await opened.page.context().exposeFunction(alarm, (index: unknown) => void ran.push(index))
    opened.page.on('dialog', (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
    return opened
  }

  test('reaches the fields of the API', (context) => {
    context.diagnostic(`${hostile.accepted.size} fields accept payloads: ${[...hostile.accepted].join(', ')}`)
    context.diagnostic(`${hostile.rejected.size} accept none: ${[...hostile.rejected].join(', ')}`)
    assert.equal(payloads.length, isFullSize ? 60 : 20)
    assert.ok(hostile.accepted.size > 60, `${hostile.accepted.size} fields`)
    for (const name of ['buildId', 'releaseId', 'portalId', 'groupId', 'teamId'])
      assert.ok(hostile.created.filter((each) => name in each).length > (payloads.length * 5) / 6, name)
  })

  test('runs on no page', async () => {
    await visitor.open(console.url)
    for (const { path, isPublic } of consoleRoutes()) {
      if (isPublic) continue
      await visitor.navigate(fillRoute(path, ids))
      await assertHarmless(visitor, path)
      for (const section of await sectionsOf(visitor.page)) {
        await section.open(visitor)
        await assertHarmless(visitor, `${path} ${section.name}`)
      }
    }
  })

  test('is shown as text on the pages of the resources', async () => {
    for (const [index, payload] of payloads.entries()) {
      const created = hostile.created[index] ?? {}
      const paths = consoleRoutes()
        .map(({ path }) => path)
        .filter((path) => Object.keys(created).some((name) => path.endsWith(`$${name}`)))
      for (const path of pagesFor(paths, index)) {
        await visitor.navigate(fillRoute(path, { ...ids, ...created }))
        await assertHarmless(visitor, `${path}, payload ${index}`)
        await assertShown(visitor.page, payload)
      }
    }
  })

  test('is shown as text on the pages of share links and group links', async () => {
    for (const [index, payload] of payloads.entries())
      for (const [kind, url] of await linksTo(index)) {
        const where = `${kind} link, payload ${index}`
        assertContains(await assertInert(blank, url, where), payload, where)
        // These pages have no scripts, so a browser shows what their documents contain.
        if (!everyNth(linkKinds, linkKinds.length, index).includes(kind)) continue
        await outsider.open(url)
        await assertHarmless(outsider, where)
        await assertShown(outsider.page, payload)
      }
  })

  const linksTo = (index: number) =>
    Promise.all(
      inTurn(linkKinds, index).map(
        async (kind) => [kind, await createLink(console.service, hostile, index, kind)] as const,
      ),
    )

  const consolePathsWith = (text: string) => [
    `/${text}`,
    `/applications/${text}`,
    `/invitations/${text}`,
    `/sign-in?error=${text}&next=${text}`,
    `/reset-password?token=${text}&error=${text}`,
  ]

  test('runs neither in an address that leads to an error nor in its parameters', async () => {
    for (const [index, payload] of payloads.entries()) {
      const text = encodeURIComponent(payload)
      const paths = [
        ...consolePathsWith(text),
        `/api/v1/public/share-links/${text}/${text}`,
        `/api/v1/public/group-links/${text}/${text}?${text}`,
        `/api/auth/error?error=${text}`,
      ]
      for (const path of inTurn(paths, index)) await assertInert(blank, console.url + path, path)
      for (const path of everyNth(paths, paths.length, index)) {
        await outsider.open(console.url + path)
        await assertHarmless(outsider, path)
      }
    }
  })

  test('does not run when the console follows a link to such an address', async () => {
    await outsider.open(`${console.url}/sign-in`)
    for (const [index, payload] of payloads.entries())
      for (const path of pagesFor(consolePathsWith(encodeURIComponent(payload)), index)) {
        await outsider.navigate(path)
        await assertHarmless(outsider, path)
      }
  })

  async function assertHarmless({ page, takeProblems }: Visitor, where: string): Promise<void> {
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
    assert.deepEqual(takeProblems().filter(isUnexpected), [], where)
    assert.deepEqual(ran, [], where)
  }
})

/** Chromium reports the status of a page that does not exist. */
const isUnexpected = (problem: string): boolean => !/status of 4\d\d/.test(problem)

/** Asserts that people can read the text on the page or in one of its fields. */
async function assertShown(page: Page, text: string): Promise<void> {
  const shown = await page.evaluate(() =>
    [
      document.body.innerText,
      ...[...document.querySelectorAll('input,textarea')].map((field) => (field as HTMLInputElement).value),
    ].join('\n'),
  )
  assertContains(shown, text, page.url())
}

function assertContains(shown: string, text: string, where: string): void {
  const plain = (value: string) => value.replaceAll(/\s+/g, ' ')
  assert.ok(plain(shown).includes(plain(text)), `${where} does not show ${text}, but ${shown}`)
}
