import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Build, QuaysideClient } from '@quayside/sdk'
import type { Page } from 'playwright-core'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('the pages of releases', { skip: withoutChromium }, () => {
  let console: Console
  let client: QuaysideClient
  let path: { application_id: string }
  let releases: string

  before(async () => {
    console = await sharedConsole()
    const filled = await console.fill()
    client = filled.client
    path = { application_id: filled.ids['applicationId'] ?? '' }
    releases = `${console.url}/applications/${path.application_id}/releases`
  })

  async function openNew(search = ''): Promise<{ page: Page; takeProblems: () => string[] }> {
    const visitor = await console.newPage()
    await visitor.open(`${releases}/new${search}`)
    return visitor
  }

  test('publishes a release with its builds to a group, and reports how many people were notified', async () => {
    const { data: group } = await client.createDistributionGroup({ body: { name: 'Console testers' } })
    await client.createDistributionGroupMembers({
      distribution_group_id: group.id,
      body: { emails: ['one@example.com', 'two@example.com'] },
    })
    const { page, takeProblems } = await openNew()
    await page
      .getByRole('button', { name: /^\d+\.\d+\.\d+.*build/ })
      .first()
      .click()
    const version = await page.getByLabel('Version').inputValue()
    assert.match(version, /^\d+\.\d+\.\d+/)
    assert.match(await page.getByLabel('Title').inputValue(), new RegExp(`${version}$`))
    await page.getByLabel('Title').fill('Published by the console')
    await page.getByLabel('Notes', { exact: true }).fill('## New\n\n- A **map**')
    await page.getByText('Preview', { exact: true }).click()
    await page.getByText('map', { exact: true }).waitFor()
    await page.getByLabel('Console testers', { exact: true }).check()
    await page.getByText('Up to 2 people in 1 group will be notified by email at once.').waitFor()
    await page.getByRole('button', { name: 'Publish release' }).click()
    await page.getByText('Release published; 2 people notified.').waitFor()
    await page.getByRole('heading', { name: 'Published by the console' }).waitFor()
    const { data } = await client.listReleases({ ...path, search: 'Published by the console' })
    assert.deepEqual([data[0]?.status, data[0]?.version], ['published', version])
    assert.ok((data[0]?.build_count ?? 0) > 0)
    assert.deepEqual(takeProblems(), [])
  })

  test('schedules a draft and cancels its publication with the keyboard', async () => {
    const { page, takeProblems } = await openNew()
    await page.getByLabel('Version').fill('wrong')
    await page.getByLabel('Title').fill('Scheduled by the console')
    await page.getByRole('radio', { name: /^Save as draft/ }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Enter three numbers').waitFor()
    await page.getByLabel('Version').fill('90.1.0')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('This release is a draft.').waitFor()
    await chooseAction(page, 'Schedule')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nobody is notified.').waitFor()
    await dialog.getByRole('button', { name: 'Tomorrow, 9:00' }).press('Enter')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Schedule' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Publishes in \d/).waitFor()
    await chooseAction(page, 'Cancel the publication')
    await page.getByText('This release is withdrawn.').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(/^Publishes in \d/).waitFor()
    await chooseAction(page, 'Cancel the publication')
    await page.getByText('This release is withdrawn.').waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('adds all builds of a version, or one of them', async () => {
    const { data: rows } = await client.listBuilds({ ...path, per_page: 100, group_by: 'version' })
    const row = rows.find(({ group }) => group?.size === 2)
    assert.ok(row, 'no version has two builds')
    const { page, takeProblems } = await openNew()
    await page.getByRole('button', { name: 'Add builds' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Version').fill(row.version)
    const version = dialog.getByRole('checkbox', { name: `2 builds of ${row.version}` })
    await version.check()
    await dialog.getByRole('button', { name: 'Add 2 builds' }).waitFor()
    await dialog.getByRole('button', { name: `Show 2 builds of ${row.version}` }).press('Enter')
    await dialog.getByRole('checkbox', { name: row.platform.name }).first().uncheck()
    assert.ok(await version.evaluate((input: HTMLInputElement) => input.indeterminate))
    await dialog.getByRole('button', { name: 'Add 1 build', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add builds' }).click()
    await dialog.getByPlaceholder('Version').fill(row.version)
    await dialog.getByRole('checkbox', { name: row.platform.name }).first().check()
    await dialog.getByRole('button', { name: 'Add 1 build', exact: true }).waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('asks before a release without builds is published', async () => {
    const { page, takeProblems } = await openNew()
    await page.getByLabel('Version').fill('91.0.0')
    await page.getByLabel('Title').fill('Empty')
    await page.getByRole('button', { name: 'Publish release' }).click()
    const dialog = page.getByRole('dialog', { name: 'Release without builds?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await client.listReleases({ ...path, search: 'Empty' })).data.length, 0)
    await page.getByRole('button', { name: 'Publish release' }).click()
    await dialog.getByRole('button', { name: 'Publish release' }).click()
    await page.getByText('Release published').waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('warns about builds of another version, and takes back the removal of a build', async () => {
    const { data: builds } = await client.listBuilds({ ...path, per_page: 100 })
    const first = builds.find(({ version_semantic_extra: extra }) => extra === null)
    const other = builds.find(({ version_short: version }) => version !== first?.version_short)
    assert.ok(first && other)
    const { page, takeProblems } = await openNew(`?builds=${first.id},${other.id}`)
    await page.getByLabel('Version').fill(first.version)
    await page.getByText('1 build differs from version').waitFor()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('1 build differs from version').waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: /^Save as draft/ }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name: 'Builds · 1' }).waitFor()
    await page.getByRole('button', { name: `Remove ${first.platform.name}` }).click()
    await page.getByText('People cannot download anything').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Builds · 1' }).waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  async function createRelease(minor: number, buildId: string) {
    const version = {
      version_component_1_major: 95,
      version_component_2_minor: minor,
      version_component_3_patch: 0,
    }
    const body = { ...version, title: `Number ${minor}`, build_ids: [buildId] }
    return (await client.createRelease({ ...path, body })).data
  }

  test('shows what changed since the previous release, and drafts notes from its builds', async () => {
    const { data: builds } = await client.listBuilds({
      ...path,
      per_page: 100,
      sort_by: 'created_at',
      sort: 'desc',
    })
    const sameLine = ({ platform, stream }: Build) => `${platform.identifier} ${stream.id}`
    const [newest, between, oldest] =
      [...Map.groupBy(builds, sameLine).values()].find(
        (line) => new Set(line.slice(0, 3).map(({ scm }) => scm.scm_commit_sha)).size === 3,
      ) ?? []
    assert.ok(newest && between && oldest)
    const notes = {
      [newest.id]: 'Draws the route.',
      [between.id]: '- Starts *faster*',
      [oldest.id]: 'Is older.',
    }
    for (const [id, text] of Object.entries(notes))
      await client.updateBuild({ ...path, build_id: id, body: { notes: text } })
    const { id } = await createRelease(0, oldest.id)
    await client.publishRelease({ ...path, release_id: id })
    const next = await createRelease(1, newest.id)
    const { page, open, takeProblems } = await console.newPage()
    await open(`${releases}/${next.id}`)
    await page.getByRole('heading', { name: 'Changes since 95.0.0' }).waitFor()
    await page.getByRole('button', { name: 'Write notes' }).click()
    await page.getByRole('button', { name: 'Draft from builds' }).click()
    await page.getByText(/^Added the notes of \d+ (of \d+ )?builds since 95\.0\.0\.$/).waitFor()
    const draft = await page.getByRole('textbox', { name: 'Notes' }).inputValue()
    assert.match(draft, /^- Draws the route\.$/m)
    assert.match(draft, /^- Starts \*faster\*$/m)
    assert.doesNotMatch(draft, /Is older/)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Draws the route.').waitFor()
    await page.getByRole('link', { name: /^Compare / }).click()
    await page.waitForURL(`**/builds/${newest.id}?tab=compare&with=${oldest.id}`)
    assert.deepEqual(takeProblems(), [])
  })

  test('lists what a draft lacks, opens what resolves it, and publishes it anyway', async () => {
    const { id: application_id } = await console.createApplication()
    const version = {
      version_component_1_major: 1,
      version_component_2_minor: 0,
      version_component_3_patch: 0,
    }
    const { data: draft } = await client.createRelease({
      application_id,
      body: { ...version, title: 'Checked', draft: true },
    })
    const { page, open, takeProblems } = await console.newPage()
    await open(`${console.url}/applications/${application_id}/releases/${draft.id}`)
    const checklist = page.getByRole('region', { name: 'Checklist' })
    await checklist.getByText('0 of 3 done').waitFor()
    await checklist.getByRole('button', { name: 'Write notes' }).press('Enter')
    await page.getByRole('textbox', { name: 'Notes' }).fill('The first release.')
    await page.keyboard.press('Control+Enter')
    await checklist.getByText('1 of 3 done').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 open items').waitFor()
    await dialog.getByRole('button', { name: 'Choose an audience' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Audience', selected: true }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Release published').waitFor()
    await page.getByRole('tab', { name: 'Reach' }).click()
    await page.getByText('In no group').waitFor()
    await page.getByText('First release for its platforms').first().waitFor()
    await page.getByText('No downloads since the release was published.').waitFor()
    assert.deepEqual(takeProblems(), [])
  })

  test('shows where a release is visible, and its downloads beside those of the previous one', async () => {
    const { data } = await client.listReleases({ ...path, statuses: 'published', per_page: 100 })
    const adoptions = await Promise.all(
      data.map(async ({ id }) => (await client.getReleaseAdoption({ ...path, release_id: id })).data),
    )
    const found = adoptions.find(({ previous }) => previous !== null)
    assert.ok(found?.release && found.previous)
    const { release, previous } = found
    const { builds, workspace_id } = (await client.getRelease({ ...path, release_id: release.id })).data
    const [build] = builds
    assert.ok(build)
    const { db } = console.service.deps
    for (const [id, daysAgo] of [
      [release.id, 1],
      [previous.id, 4],
    ] as const)
      await db
        .updateTable('releases')
        .set({ published_at: timeBefore(daysAgo) })
        .where('id', '=', id)
        .execute()
    await db
      .insertInto('downloads')
      .values(
        [0.5, 0].map((daysAgo) => ({
          id: randomUUID(),
          workspace_id,
          ...path,
          build_id: build.id,
          channel: 'console',
          created_at: timeBefore(daysAgo),
        })),
      )
      .execute()
    const { page, open, takeProblems } = await console.newPage()
    await open(`${releases}/${release.id}?tab=reach`)
    await page.getByText(`/releases/${release.version}/`).first().waitFor()
    await page
      .getByText(`total since publication, beside ${previous.version}`, { exact: true })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Table: Downloads' }).click()
    await page.waitForURL('**tables=downloads**')
    const table = page.getByRole('group', { name: 'Downloads' })
    await table.getByText('Day 1', { exact: true }).waitFor()
    assert.ok((await table.getByText(previous.version, { exact: true }).count()) > 0)
    assert.deepEqual(takeProblems(), [])
  })
})

const timeBefore = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1_000).toISOString()

async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name }).press('Enter')
}
