import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

for (const name of ['per_page', 'sort', 'sort_by', 'search', 'platform']) {
  test(`returns 422 for a repeated ${name} query parameter`, async () => {
    const path = `/applications?${name}=1&${name}=asc&page=x`
    const { status, body } = await service.call('GET', path, { key: tenant.workspaceKey })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { [name]: ['must be given only once.'], page: ['must be an integer.'] })
  })
}

for (const [description, name] of Object.entries({
  'an empty name': '',
  'a name that consists of spaces': '   ',
  'a name that consists of a newline and a tab': '\n\t',
})) {
  test(`returns exactly one error for ${description}`, async () => {
    const options = { key: tenant.workspaceKey, body: { name } }
    const { status, body } = await service.call('POST', '/workspace/labels', options)
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { name: ['must not be empty.'] })
    assert.equal(body.message, 'The request body is invalid. `name` must not be empty.')
  })
}
