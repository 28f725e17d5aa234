import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { QuaysideClient } from '@quayside/sdk'
import { until } from '../../server/test/until.ts'
import { withoutChromium } from './chromium.ts'
import { sharedConsole, type Console } from './console.ts'

describe('the page of an update channel', { skip: withoutChromium }, () => {
  let console: Console
  let client: QuaysideClient
  let path: { application_id: string }

  before(async () => {
    console = await sharedConsole()
    const filled = await console.fill()
    client = filled.client
    path = { application_id: filled.ids['applicationId'] ?? '' }
  })

  const channelNamed = async (wanted: string) =>
    (await client.listChannels(path)).data.find(({ name }) => name === wanted)

  test('creates a channel, limits a rollout, and creates and revokes a read key', async () => {
    const { page, takeProblems } = await console.newPage()
    await page.goto(`${console.url}/applications/${path.application_id}/distribute`)
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create channel' }).click()
    await dialog.getByText('Select at least one format.').waitFor()
    await dialog.getByLabel('Name').fill('Desk')
    await dialog.getByLabel('Quayside JSON').check()
    await dialog.getByLabel('Read keys').check()
    await dialog.getByRole('button', { name: 'Create channel' }).click()
    await page.getByRole('heading', { name: 'Desk', exact: true }).waitFor()
    const channel = (await channelNamed('Desk')) ?? assert.fail('no channel')
    assert.deepEqual([channel.formats, channel.access, channel.stream], [['json'], 'read_keys', null])
    const params = { ...path, channel_id: channel.id }
    await page.getByText(`${channel.url}/k/{read_key}/json/latest.json`, { exact: true }).waitFor()

    await page.getByText('No client has checked for updates in the last 30 days.').waitFor()
    await page.getByText('No client has requested this format in the last 90 days.').waitFor()

    await page.getByRole('button', { name: 'New rollout' }).click()
    await dialog.getByLabel('Version', { exact: true }).fill('99.0.0')
    await dialog.getByRole('textbox', { name: 'Percentage', exact: true }).fill('20')
    await dialog.getByLabel('Cohorts').fill('testers, testers, friends')
    await dialog.getByLabel('macOS').fill('13.0')
    await dialog.getByLabel('Stop when clients report failures').check()
    await dialog.getByRole('textbox', { name: 'Failures' }).fill('7.5')
    await dialog.getByRole('textbox', { name: 'Minimum reports' }).fill('30')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const version = page
      .getByRole('list', { name: 'Versions' })
      .getByRole('listitem')
      .filter({ hasText: '99.0.0' })
    await version.getByText('20 % of clients').waitFor()
    await version.getByText('Not published yet').waitFor()
    await version.getByText('Stops at 7.5 % failures of at least 30 reports').waitFor()
    const rollout = async () =>
      (await client.listRollouts(params)).data.find((each) => each.version === '99.0.0')
    assert.deepEqual((await rollout())?.cohorts, ['testers', 'friends'])
    assert.deepEqual((await rollout())?.minimum_os, { macos: '13.0' })
    await version.getByRole('button', { name: 'Actions for 99.0.0' }).click()
    await page.getByRole('menuitem', { name: 'Stop' }).click()
    await version.getByText('Nobody').waitFor()
    assert.equal((await rollout())?.state, 'stopped')

    await page.getByRole('button', { name: 'New read key' }).click()
    await dialog.getByLabel('Name').fill('Example Ltd')
    await dialog.getByLabel('Maximum downloads').fill('3')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const url = await dialog.getByLabel('channel URL with the key', { exact: true }).innerText()
    const read = async () => (await fetch(`${url}/json/versions.json`)).status
    assert.equal(await read(), 200)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Actions for Example Ltd' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('revoked', { exact: true }).waitFor()
    await until('the key is revoked', async () => (await read()) === 404)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete channel' }).click()
    await dialog.getByLabel('Type Desk to confirm').fill('Desk')
    await dialog.getByRole('button', { name: 'Delete channel' }).click()
    await page.getByRole('heading', { name: 'Distribute', exact: true }).waitFor()
    assert.equal(await channelNamed('Desk'), undefined)
    assert.deepEqual(takeProblems(), [])
  })

  test('replaces the key that signs repositories, and deletes the previous one', async () => {
    const { page, takeProblems } = await console.newPage()
    const keys = async () => (await client.listRepositoryKeys({})).data
    await client.createRepositoryKey({ body: {} })
    await page.goto(`${console.url}/settings?section=repository-keys`)
    const list = page.getByRole('list', { name: 'Repository keys' }).getByRole('listitem')
    await list.filter({ hasText: 'Current' }).waitFor()
    await page.getByRole('button', { name: 'Replace key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Private key of the team').fill('not a key')
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    await dialog.getByText('The key is not an armored OpenPGP private key.').waitFor()
    await dialog.getByLabel('Private key of the team').fill('')
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    await list.filter({ hasText: 'Replaced' }).waitFor()
    const [current, previous] = await keys()
    assert.deepEqual([current?.is_current, previous?.is_current], [true, false])
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete previous key' }).click()
    await dialog.getByRole('button', { name: 'Delete previous key' }).click()
    await list.filter({ hasText: 'Replaced' }).waitFor({ state: 'detached' })
    assert.deepEqual(
      (await keys()).map(({ id }) => id),
      [current?.id],
    )

    await page.getByRole('button', { name: 'Replace key' }).click()
    await dialog.getByLabel('Repositories', { exact: true }).selectOption('F-Droid')
    await dialog.getByText(/F-Droid rejects the repositories at once/).waitFor()
    assert.equal(await dialog.getByLabel('Sign with the previous key for').count(), 0)
    await dialog.getByLabel('Private key of the team').fill('not a key')
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    await dialog.getByText('It contains no private key in PEM format.').waitFor()
    await dialog.getByLabel('Private key of the team').fill('')
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    await list.filter({ hasText: 'F-Droid' }).waitFor()
    assert.deepEqual((await keys()).map(({ kind }) => kind).toSorted(), ['openpgp', 'x509'])
    assert.deepEqual(
      takeProblems().filter((problem) => !/status of 422/.test(problem)),
      [],
    )
  })
})
