import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBrowser } from '../../test/browser.ts'
import { startOwnService } from '../../test/harness.ts'

const admin = { email: 'admin@example.com', password: 'correct horse battery' }

test('offers one set-up link on every node until there is an owner', async () => {
  const environment = { QUAYSIDE_BOOTSTRAP_KEY: '', QUAYSIDE_SECRET: 'set-up secret'.repeat(4) }
  const first = await startOwnService({ environment })
  const tokenOf = ({ setupUrl }: typeof first) => new URL(setupUrl ?? '').searchParams.get('token')
  assert.equal((await createBrowser(first.url).get('/api/auth/methods')).body.setup_open, true)
  const isValid = async (token: string | null) =>
    (await createBrowser(first.url).post('/api/auth/setup-link', { setup_token: token })).body.is_valid
  assert.deepEqual([await isValid(tokenOf(first)), await isValid('qss_unknown')], [true, false])
  const second = await startOwnService({ environment, state: first.state })
  assert.equal(tokenOf(second), tokenOf(first))
  const setUp = (token: string | null) =>
    createBrowser(second.url).post('/api/v1/setup', {
      setup_token: token,
      workspace_name: 'Example',
      name: 'Grace',
      ...admin,
    })
  const unknown = await setUp('qss_unknown')
  assert.deepEqual([unknown.status, unknown.body.code], [410, 'setup.link_gone'])
  const responses = await Promise.all([1, 2, 3].map(() => setUp(tokenOf(first))))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 410, 410],
  )
  assert.deepEqual(await second.deps.db.selectFrom('setup_links').selectAll().execute(), [])
  await Promise.all([first, second].map((service) => service.stop()))
  const third = await startOwnService({ environment, state: first.state })
  assert.equal(third.setupUrl, undefined)
  await third.close()
})
