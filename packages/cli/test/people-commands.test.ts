import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { AccessRequest, Device, DownloadTotals, Invitation, ListedDownload } from '@quayside/sdk'
import { until } from '../../server/test/acceptance/until.ts'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { InProcessOptions } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

let service: Service
const env = { QUAYSIDE_APPLICATION: 'Game' }

const run = (args: string[], options: InProcessOptions = {}) =>
  runInProcess(service, args, { ...options, env })
const json = <Output>(args: string[]) => jsonInProcess<Output>(service, args, { env })

/** Runs this command, which invites a person, and accepts the invitation. */
async function joinBy(invite: string[], name: string) {
  const { token } = await json<Invitation & { token: string }>(invite)
  const accepted = await post(`/invitations/${token}/accept`, { name, password: 'correct horse battery' })
  const { data } = (await accepted.json()) as { data: { id: string } }
  return { id: data.id, cookie: accepted.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

const post = (path: string, body: object, cookie = '') =>
  fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: service.url },
    body: JSON.stringify(body),
  })

before(async () => {
  service = await startService()
  await writeFile(join(service.folder, 'game-1.0.0.bin'), randomBytes(1000))
  await json(['applications', 'create', 'Game', '--platform', 'linux'])
  await json(['upload', 'game-1.0.0.bin', '--no-scm', '--stream', 'stable'])
})
after(() => service.close())

test('adds, edits, exports and deletes a device', async () => {
  const udid = '00008140-001A2B3C4D5E6F70'
  const add = ['devices', 'add', udid.toLowerCase(), '--name', 'QA iPhone', '--email', 'qa@example.com']
  const device = await json<Device>(add)
  assert.deepEqual([device.udid, device.platform, device.email], [udid, 'ios', 'qa@example.com'])
  const edited = await json<Device>(['devices', 'edit', device.id, '--name', 'QA phone', '--email', ''])
  assert.deepEqual([edited.name, edited.email], ['QA phone', null])
  assert.match((await run(['devices', 'list', '--search', 'qa ph'])).stdout, /QA phone +00008140-001A/)
  assert.equal((await run(['devices', 'list', '--search', 'nothing'])).stdout, 'No devices found.\n')
  const { stdout } = await run(['devices', 'export'])
  assert.equal(stdout, `Device ID\tDevice Name\tDevice Platform\n${udid}\tQA phone\tios\n`)
  assert.equal((await run(['devices', 'edit', device.id])).code, 2)
  assert.equal((await run(['devices', 'add', udid])).code, 2)
  assert.equal((await run(['devices', 'delete', device.id], { answers: ['n'] })).code, 1)
  assert.equal((await run(['devices', 'delete', device.id, '--yes'])).code, 0)
  assert.deepEqual(await json<Device[]>(['devices', 'list']), [])
})

test('lists and counts downloads', async () => {
  for (let count = 0; count < 3; count++)
    assert.equal((await run(['download', 'latest', '--output', `copy-${count}.bin`])).code, 0)
  const listed = await json<ListedDownload[]>(['downloads', 'list', '--version', '1.0.0', '--all'])
  assert.deepEqual(
    listed.map(({ channel, version, platform }) => [channel, version, platform.identifier]),
    Array.from({ length: 3 }, () => ['api', '1.0.0', 'linux']),
  )
  const { stdout, stderr } = await run(['downloads', 'list', '--limit', '2'])
  assert.equal(stdout.match(/ api +1\.0\.0 +linux/g)?.length, 2)
  assert.match(stderr, /The latest 2\. Use --limit or --all to see more\./)
  assert.deepEqual(await json<ListedDownload[]>(['downloads', 'list', '--channel', 'portal']), [])
  const totals = await json<DownloadTotals>(['downloads', 'totals', '--by', 'version'])
  assert.deepEqual([totals.download_count, totals.groups[0]?.value], [3, '1.0.0'])
  assert.match(
    (await run(['downloads', 'totals'])).stdout,
    /^api +3 +0 .*\n\nDownloads: 3, of which 0 installs$/m,
  )
})

test('invites a user to an application and reports an unknown member', async () => {
  const invitation = await json<Invitation>(['members', 'invite', 'ada@example.com', '--role', 'qa'])
  assert.deepEqual([invitation.email, invitation.role], ['ada@example.com', 'qa'])
  assert.match((await run(['members', 'list'])).stdout, /No members found/)
  const access = ['--access', 'Game=readonly']
  const member = await json<Invitation>([
    'members',
    'invite',
    'bo@example.com',
    '--role',
    'member',
    ...access,
  ])
  assert.deepEqual(
    member.applications.map(({ role }) => role),
    ['readonly'],
  )
  const invalid = await run(['members', 'invite', 'x@example.com', '--role', 'member', '--access', 'Game'])
  assert.match(invalid.stderr, /--access requires an application and a role/)
  assert.equal(invalid.code, 2)
  const unknown = await run(['members', 'remove', 'ada@example.com', '--yes'])
  assert.match(unknown.stderr, /Member ada@example\.com was not found/)
})

test('manages a team, its members and its role in an application', async () => {
  const team = await json<{ id: string; name: string }>(['teams', 'create', 'Testers'])
  const invite = ['members', 'invite', 'tess@example.com', '--role', 'member', '--workspace']
  const { id } = await joinBy(invite, 'Tess')
  assert.match((await run(['teams', 'edit', 'Testers', '--sso-group', 'qa'])).stdout, /group +qa/)
  const added = await json<{ member_count: number }>(['teams', 'add', 'testers', 'tess@example.com', id])
  assert.equal(added.member_count, 1)
  assert.equal((await json<{ role: string }>(['teams', 'grant', 'Testers', '--role', 'qa'])).role, 'qa')
  assert.match((await run(['teams', 'list'])).stdout, new RegExp(`${team.id} +Testers +1 +1`))
  assert.match((await run(['teams', 'revoke', 'Testers'])).stdout, /Team removed/)
  assert.match((await run(['teams', 'revoke', 'Testers'])).stderr, /Testers has no role/)
  assert.match((await run(['teams', 'remove', 'Testers', id])).stdout, /1 member removed/)
  assert.match(
    (await run(['teams', 'add', 'Nobody', id])).stderr,
    /Team "Nobody" was not found. Teams: Testers/,
  )
  assert.match((await run(['teams', 'delete', team.id, '--yes'])).stdout, /Team deleted/)
})

test('lists, approves and declines access requests', async () => {
  const requests = ['members', 'requests']
  assert.equal((await run(requests)).stdout, 'No requests found.\n')
  const [application] = await json<{ id: string }[]>(['applications', 'list'])
  const ids: string[] = []
  for (const name of ['Rita', 'Sam', 'Ugo']) {
    const email = `${name.toLowerCase()}@example.com`
    const { id, cookie } = await joinBy(['members', 'invite', email, '--role', 'member', '--workspace'], name)
    const asked = await post(
      '/workspace/access-requests',
      { application_id: application?.id, message: `For ${name}` },
      cookie,
    )
    assert.equal(asked.status, 202, await asked.text())
    ids.push(id)
  }
  // A job adds the requests.
  await until('the requests', async () => (await json<AccessRequest[]>(requests)).length === ids.length)
  const { stdout } = await run(requests)
  assert.match(stdout, /^ID +NAME +EMAIL +REQUESTED +MESSAGE\n.* +Rita +rita@example\.com .* For Rita\n/)

  const approve = ['members', 'approve', 'Rita@example.com', '--role', 'qa']
  const approved = await json<{ id: string; role: string }>(approve)
  assert.deepEqual([approved.id, approved.role], [ids[0], 'qa'])
  assert.match((await run(['members', 'list'])).stdout, /rita@example\.com +qa/)
  const [sam] = await json<AccessRequest[]>(requests)
  assert.match((await run(['members', 'approve', sam?.id ?? ''])).stdout, /sam@.* has the role readonly/)
  const decline = ['members', 'decline', 'ugo@example.com']
  assert.equal((await json<{ declined: boolean }>(decline)).declined, true)
  for (const [command, message] of [
    [approve, /Access request \S+ was not found\. Run `quayside members requests`/],
    [decline, /was not found/],
    [['members', 'decline', sam?.id ?? ''], /already been approved or declined/],
  ] as const) {
    const repeated = await run([...command])
    assert.match(repeated.stderr, message)
    assert.equal(repeated.code, 1)
  }
  assert.deepEqual(await json(requests), [])
})
