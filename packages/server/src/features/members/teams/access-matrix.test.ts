import { after, before, test } from 'node:test'
import { createMatrix, runSequence } from '../../../../test/access-matrix.ts'
import { startService, type Service } from '../../../../test/harness.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('gives people the highest of their roles after every change', async () => {
  const workspace = await createMatrix(service)
  for (let run = 0; run < 6; run++) await runSequence(workspace, `quick ${run}`, 25)
})
