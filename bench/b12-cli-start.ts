import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cliEnvironment, cliProgram } from './cli.ts'
import { childCpuMilliseconds } from './commands.ts'
import { median, option, report } from './report.ts'
import { startService } from './service.ts'
import { createApplication } from './uploads.ts'

// B12 compares the CPU time of short `quayside` commands to that of a Node process that does nothing.
const rounds = option('rounds', 15)

const service = await startService()
const home = await mkdtemp(join(tmpdir(), 'quayside-bench-home-'))
const applicationId = await createApplication(service)
const env = cliEnvironment(service, home)

const contenders = {
  version: [cliProgram, '--version'],
  list: [cliProgram, 'builds', 'list', '--application', applicationId],
  node: ['-e', '0'],
}
type Name = keyof typeof contenders

const times: Record<Name, number[]> = { version: [], list: [], node: [] }
// The first two rounds fill the compile cache and are not counted.
for (let round = -1; round <= rounds; round++) {
  for (const [name, args] of Object.entries(contenders)) {
    const time = await childCpuMilliseconds(process.execPath, args, env)
    if (round > 0) times[name as Name].push(time)
  }
}

const line = (name: string, measured: Name, goalMilliseconds: number) => ({
  name,
  ours: goalMilliseconds,
  limit: median(times[measured]),
  limitName: 'measured',
  unit: 'ms CPU',
  goal: 1,
})
await report(
  'B12',
  [line('quayside --version, allowed', 'version', 100), line('quayside builds list, allowed', 'list', 150)],
  {
    'node -e 0, ms CPU': Math.round(median(times.node)),
    'quayside --version ÷ node -e 0': (median(times.version) / median(times.node)).toFixed(2),
    'quayside builds list ÷ node -e 0': (median(times.list) / median(times.node)).toFixed(2),
    times,
  },
)
await service.stop()
await rm(home, { recursive: true, force: true })
