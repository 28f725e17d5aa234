import { after, before, test } from 'node:test'
import { createMatrix, runSequence } from '../../../../test/access-matrix.ts'
import { startService, type Service } from '../../../../test/harness.ts'

const sequences = 300
const seed = process.env['QUAYSIDE_SEED'] ?? '27'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test(`gives people the highest of their roles in ${sequences} sequences of changes (seed ${seed})`, async () => {
  const workspace = await createMatrix(service)
  for (let run = 0; run < sequences; run++) await runSequence(workspace, `${seed}.${run}`, 25)
})
