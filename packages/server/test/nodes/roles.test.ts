import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnService, type Service, type Tenant } from '../harness.ts'
import { until } from '../until.ts'
import { uploadedBuild } from '../uploading.ts'

describe('QUAYSIDE_ROLE', () => {
  let api: Service
  let tenant: Tenant
  before(async () => {
    api = await startOwnService({ environment: { QUAYSIDE_ROLE: 'api' } })
    tenant = await api.tenant()
  })
  after(() => api.close())

  test('leaves the jobs of API nodes to workers, which serve only health checks', async () => {
    const { build } = await uploadedBuild(api, tenant, {
      platform: 'android',
      primary_file: { filename: 'app.apk' },
    })
    const isPending = async (): Promise<boolean> => {
      const { body } = await api.call('GET', `/applications/${tenant.applicationId}/builds/${build.id}`, {
        key: tenant.applicationKey,
      })
      return body.data.pending_processing
    }
    // A worker would start the job within milliseconds. An API node must not start it even when it polls.
    for (let call = 0; call < 20; call++) assert.equal(await isPending(), true)
    const worker = await startOwnService({ environment: { QUAYSIDE_ROLE: 'worker' }, state: api.state })
    try {
      await until('the worker has inspected the build', async () => !(await isPending()))
      const statusOf = async (path: string) => (await fetch(`${worker.url}${path}`)).status
      const paths = ['/livez', '/readyz', '/api/v1/workspace', '/storage/objects/a', '/docs', '/']
      assert.deepEqual(await Promise.all(paths.map(statusOf)), [200, 200, 404, 404, 404, 404])
    } finally {
      await worker.stop()
    }
  })
})
