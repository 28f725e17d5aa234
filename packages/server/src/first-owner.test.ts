import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBrowser } from '../test/browser.ts'
import { startOwnService } from '../test/harness.ts'

const admin = { email: 'admin@example.com', password: 'correct horse battery' }

test('offers a new set-up link at each start until there is an owner', async () => {
  const environment = { QUAYSIDE_BOOTSTRAP_KEY: '' }
  const first = await startOwnService({ environment })
  const tokenOf = ({ setupUrl }: typeof first) => new URL(setupUrl ?? '').searchParams.get('token')
  const earlier = tokenOf(first)
  assert.equal((await createBrowser(first.url).get('/api/auth/methods')).body.setup_open, true)
  await first.stop()
  const second = await startOwnService({ environment, state: first.state })
  const setUp = (token: string | null) =>
    createBrowser(second.url).post('/api/v1/setup', {
      setup_token: token,
      workspace_name: 'Example',
      name: 'Grace',
      ...admin,
    })
  const stale = await setUp(earlier)
  assert.deepEqual([stale.status, stale.body.code], [410, 'setup.link_gone'])
  const responses = await Promise.all([1, 2, 3].map(() => setUp(tokenOf(second))))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 410, 410],
  )
  assert.deepEqual(await second.deps.db.selectFrom('setup_links').selectAll().execute(), [])
  await second.stop()
  const third = await startOwnService({ environment, state: first.state })
  assert.equal(third.setupUrl, undefined)
  await third.close()
})
