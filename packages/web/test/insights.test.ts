import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { copyBuild } from '../../server/test/copy-builds.ts'
import { uploadedBuild } from '../../server/test/uploading.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'
import { findBarriers, findOverflow } from './visit.ts'

describe('the insights of an application', { skip: withoutChromium }, () => {
  let console: Console

  before(async () => {
    console = await sharedConsole()
  })

  /** Creates an application with one build on each of the last `days` days. */
  async function createHistory(days: number): Promise<string> {
    const { service } = console
    const tenant = await console.createTenant()
    const { applicationId: id } = tenant
    const { build } = await uploadedBuild(service, tenant)
    if (days > 1) await copyBuild(service, build.id, days - 1)
    const { db } = service.deps
    await sql`update builds set created_at = builds.created_at - make_interval(days => n::int)
      from (select id, row_number() over (order by id) as n from builds where application_id = ${id} and id <> ${build.id}) numbered
      where builds.id = numbered.id`.execute(db)
    await sql`insert into downloads (id, workspace_id, application_id, build_id, channel, created_at)
      select gen_random_uuid(), workspace_id, application_id, id, 'console', created_at + interval '90 minutes'
      from builds where application_id = ${id} and id <> ${build.id}`.execute(db)
    return id
  }

  test('shows charts as tables, saves them as CSV, and keeps what is shown in the URL', async () => {
    const id = await createHistory(12)
    const visitor = await console.newPage()
    const { page } = visitor
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visitor.open(`${console.url}/applications/${id}/insights`)
    const waits = page.getByRole('region', { name: 'Upload to first download', exact: true })
    await waits.getByText('11 builds of 12 downloaded by a person.').waitFor()
    await page.getByRole('button', { name: 'Table: Upload to first download' }).click()
    const table = waits.getByRole('table')
    await table.getByText('1.5 h').first().waitFor()
    await page.getByRole('radiogroup', { name: 'Grouping' }).getByText('Week').click()
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('90 days').click()
    await page.waitForURL(/days=90/)
    await page.getByRole('button', { name: 'Copy link: Upload to first download' }).click()
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(link, /\/insights\?.*days=90.*#first-downloads$/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV: Upload to first download' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    const [head, ...rows] = csv.trim().split('\r\n')
    assert.equal(head, 'from,to,Median (seconds),90th percentile (seconds)')
    assert.equal(rows.length, 13)
    assert.match(rows.at(-1) ?? '', /^[\d-]+,[\d-]+,5400,5400$/)
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()

    const copied = await console.newPage({ width: 390 })
    await copied.open(link)
    const chosen = copied.page.locator('#first-downloads')
    await chosen.getByRole('table').getByText('1.5 h').first().waitFor()
    await copied.page.waitForFunction(() => {
      const { top } = document.querySelector('#first-downloads')?.getBoundingClientRect() ?? { top: -1 }
      return top >= 0 && top < innerHeight / 2
    })
    assert.deepEqual(await findBarriers(copied.page), [])
    assert.deepEqual(await findOverflow(copied.page), [])
    assert.deepEqual(copied.takeProblems(), [])
    await copied.page.context().close()
  })

  test('draws no chart of a single day, and says what will appear', async () => {
    const id = await createHistory(1)
    const visitor = await console.newPage()
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${id}/insights`)
    const uploads = page.getByRole('region', { name: 'Uploads', exact: true })
    await uploads.getByText(/^A chart appears here once there are values for two days\./).waitFor()
    await page.getByText('A forecast appears here after seven days with stored builds.').waitFor()
    assert.equal(await page.locator('figure').count(), 0)
    await page.getByRole('button', { name: 'Table: Uploads' }).click()
    await uploads.getByRole('table').getByText('1', { exact: true }).first().waitFor()
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })

  test('forecasts the storage and shows what a shorter retention saves', async () => {
    const id = await createHistory(12)
    const visitor = await console.newPage({ colorScheme: 'dark' })
    const { page } = visitor
    await visitor.open(`${console.url}/applications/${id}/insights?keep=7#savings`)
    const savings = page.getByRole('region', { name: 'Shorter retention' })
    await savings
      .getByRole('row', { name: /^default/ })
      .getByText('5', { exact: true })
      .waitFor()
    await savings.getByText(/^Saves 5 B/).waitFor()
    await page.getByText(/^In 30 days: /).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(visitor.takeProblems(), [])
    await page.context().close()
  })
})
