import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { copyBuild } from '../../server/test/copy-builds.ts'
import { until } from '../../server/test/until.ts'
import { uploadedBuild, versionOf } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { countRenders } from './count-renders.ts'
import { findBarriers, observe, type Visitor } from './visit.ts'

describe('the list of builds', { skip: withoutChromium }, () => {
  let console: Console
  let applicationId: string
  let visitor: Visitor
  before(async () => {
    console = await sharedConsole()
    const { ids } = await console.fill()
    applicationId = ids['applicationId']!
  })
  beforeEach(async () => {
    visitor = await console.newPage()
  })

  test('scrolls the list of builds without rendering its rows again', async () => {
    const { page } = await console.newPage()
    // The demo has few builds, and rows outside the window are drawn too.
    await page.setViewportSize({ width: 1440, height: 200 })
    const renders = await countRenders(page, ['build', 'position'])
    const list = observe(page)
    await list.open(`${console.url}/applications/${applicationId}?group_by=none`)
    const lastRow = () =>
      page
        .locator('[role=row][aria-rowindex]')
        .evaluateAll((rows) => Math.max(...rows.map((row) => Number(row.getAttribute('aria-rowindex')))))
    // The rows outside the window are drawn after the first paint.
    await page.waitForFunction(() => document.querySelectorAll('[role=row][aria-rowindex]').length > 8)
    await list.settle()
    const [rowsBefore, rendersBefore] = [await lastRow(), await renders()]
    await page.mouse.move(700, 100)
    for (let step = 0; step < 6; step++) {
      const from = await page.evaluate(() => scrollY)
      await page.mouse.wheel(0, 60)
      await page.waitForFunction((before) => scrollY > before, from)
    }
    await list.settle()
    assert.ok((await lastRow()) > rowsBefore, 'no row has come into view')
    assert.equal((await renders()) - rendersBefore, 0)
    // Otherwise, nothing would be counted.
    await page.keyboard.press('j')
    await page.locator('[role=row][data-active]').waitFor()
    assert.ok((await renders()) > rendersBefore)
    await page.context().close()
  })

  test('opens the menu of a row with the right mouse button and with the menu key', async () => {
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${applicationId}?group_by=none`)
    const row = page.locator('[role=row]', { has: page.locator('[data-row-link]') }).first()
    const menu = page.getByRole('menu')
    const items = async () => (await menu.getByRole('menuitem').allTextContents()).map((text) => text.trim())
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await menu.waitFor()
    const actions = await items()
    assert.ok(actions.includes('Copy ID'))
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })

    const box = (await row.boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.click(x, y, { button: 'right' })
    await menu.waitFor()
    assert.deepEqual(await items(), ['Open in new tab', ...actions])
    const { x: left, y: top } = (await menu.boundingBox())!
    assert.ok(Math.abs(left - x) < 20 && top >= y && top < y + 20, `${left} ${top} instead of ${x} ${y}`)
    assert.deepEqual(await findBarriers(page), [])
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      menu.getByRole('menuitem', { name: 'Open in new tab' }).click(),
    ])
    await opened.waitForURL(/\/builds\//)
    await opened.close()

    // The browser shows its own menu with Shift.
    await page.evaluate(() =>
      addEventListener('contextmenu', (event) => (document.title = String(event.defaultPrevented))),
    )
    await page.keyboard.down('Shift')
    await page.mouse.click(x, y, { button: 'right' })
    await page.keyboard.up('Shift')
    await page.waitForFunction(() => document.title === 'false')
    assert.equal(await menu.count(), 0)
    await page.keyboard.press('j')
    await page.locator('[role=row][data-active]').waitFor()
    await page.keyboard.press('ContextMenu')
    await menu.waitFor()
    // The keys reach the menu only once it has the focus.
    await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null)
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.locator(':focus').getAttribute('role'), 'menuitem')
    await page.context().close()
  })

  test('keeps the columns of a grouped list while it scrolls past a page with wide rows', async () => {
    const { service } = console
    const tenant = await console.createTenant()
    const { applicationId: id } = tenant
    const { build } = await uploadedBuild(service, tenant)
    await copyBuild(service, build.id, 420)
    // Every build has a version of its own, except two of the second page.
    await sql`update builds set ci_run_id = 'run-' || n, created_at = now() - make_interval(mins => n::int), version_minor = n,
        platform = case when n = 151 then 'windows' else platform end
      from (select id, case when row_number() over () = 152 then 151 else row_number() over () end as n
        from builds where application_id = ${id}) numbered
      where builds.id = numbered.id`.execute(service.deps.db)
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${id}`)
    const columns = () =>
      page
        .locator('[role=row][aria-rowindex]')
        .last()
        .evaluate((row) => getComputedStyle(row).gridTemplateColumns)
    const showRow = async (index: number) => {
      await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), index / 420)
      await page.locator(`[role=row][aria-rowindex="${index}"] a`).first().waitFor()
      await visitor.settle()
    }
    await showRow(150)
    const wide = await columns()
    await showRow(400)
    assert.equal(await columns(), wide)
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('shows the builds of one version as one row, which can be opened, selected and ungrouped', async () => {
    const { client } = await console.fill()
    const { data: applications } = await client.listApplications({ per_page: 100 })
    const lists = await Promise.all(
      applications.map(({ id }) =>
        client.listBuilds({ application_id: id, group_by: 'version', sort: 'desc', per_page: 100 }),
      ),
    )
    const index = lists.findIndex(({ data }) => data.some(({ group }) => (group?.size ?? 1) > 1))
    const { data: rows = [], pagination } = lists[index] ?? {}
    const size = rows.find(({ group }) => (group?.size ?? 1) > 1)?.group?.size ?? 0
    const { page } = visitor
    const shownRows = async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1
    await visitor.open(`${console.url}/applications/${applications[index]?.id}`)
    assert.equal(await shownRows(), pagination?.total)
    const toggle = page.getByRole('button', { name: new RegExp(`^Show ${size} builds of `) }).first()
    const row = page.getByRole('row').filter({ has: toggle }).first()
    await row.getByRole('checkbox').click()
    await page.getByText(`${size} builds selected`).waitFor()
    await page.keyboard.press('Escape')
    await toggle.click()
    assert.equal(await shownRows(), (pagination?.total ?? 0) + size)
    await page.getByRole('button', { name: /^Hide the \d+ builds of / }).click()
    assert.equal(await shownRows(), pagination?.total)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Nothing' }).click()
    await page.waitForURL(/group_by=none/)
    await toggle.waitFor({ state: 'detached' })
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('takes a label back only from builds that did not have it, and reports what was deleted beside a refusal', async () => {
    const { service } = console
    const { client } = await console.fill()
    const tenant = await console.createTenant()
    const { applicationId: application_id } = tenant
    const builds: string[] = []
    for (const major of [1, 2])
      builds.push((await uploadedBuild(service, tenant, versionOf(major))).build.id as string)
    const [labeled = '', plain = ''] = builds
    const { data: label } = await client.createLabel({ application_id, body: { name: 'QA' } })
    await client.replaceBuildLabels({ application_id, build_id: labeled, body: { labels: [label.id] } })
    const body = { ...versionOf(1), title: 'One', build_ids: [labeled] }
    await client.createRelease({ application_id, body })
    const labelsOf = async (build_id: string) =>
      (await client.getBuild({ application_id, build_id })).data.labels.map(({ name }) => name)
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${application_id}`)
    const selected = page.getByRole('toolbar', { name: 'Selected builds' })
    const selectAll = async () => {
      await page.getByRole('checkbox', { name: /^Select all/ }).click()
      await selected.getByText('2 builds selected').waitFor()
    }

    await selectAll()
    await selected.getByRole('button', { name: 'Label' }).click()
    await page.getByRole('menuitem', { name: 'QA', exact: true }).click()
    await page.getByText('1 build labeled QA.').waitFor()
    assert.deepEqual(await labelsOf(plain), ['QA'])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await until('the label is taken back', async () => (await labelsOf(plain)).length === 0)
    assert.deepEqual(await labelsOf(labeled), ['QA'])

    await selectAll()
    await selected.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 build moved to the trash.').waitFor()
    await page.getByText(/"One" 1\.0\.0/).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('row').filter({ hasText: '2.0.0' }).waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
