import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk } from './client.ts'
import { checkBytes, checkAcknowledged } from './crash-checks.ts'
import { startLoad } from './crash-load.ts'
import { prepareService, type Service, type Victim } from './npm-start.ts'
import { until } from './until.ts'

const rounds = Number(process.env['QUAYSIDE_CRASH_ROUNDS'] ?? 6)
const victims: Victim[] = ['service', 'database', 'both', 'npm', 'everything', 'database']
/** The maximum recovery time if the service has a core of its own. */
const readyWithinMs = 10_000
/** The load per core above which the measured times depend mainly on other processes. */
const maxLoadPerCore = 4

let service: Service
let applicationId: string

before(async () => {
  service = await prepareService({ usesNpm: true })
  await service.start()
  applicationId = expectOk(await service.client.createApplication('Crash')).data.id
})
after(() => service.remove())

/** Sends SIGKILL, restarts the service unless only the database was killed, and returns the recovery time. */
async function killAndRecover(victim: Victim): Promise<number> {
  const start = performance.now()
  const killedPid = service.databasePid()
  await service.kill(victim)
  if (victim !== 'database') return service.start()
  const hasRecovered = async () =>
    ![undefined, killedPid].includes(service.databasePid()) && (await service.isReady())
  await until('the database has restarted', hasRecovered, { withinMs: 60_000 })
  return performance.now() - start
}

test(
  `loses no acknowledged data when the service or PostgreSQL is killed ${rounds} times during uploads`,
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const { client } = service
    const load = startLoad(client, applicationId, { workers: 5 })
    const readyAfter: { victim: Victim; milliseconds: number; load: number }[] = []
    for (let round = 0; round < rounds; round++) {
      await load.postpone()
      const [verified, stored] = [load.verified(), load.stored()]
      await until(
        'uploads are in progress',
        () => load.failures.length > 0 || (load.verified() > verified + 2 && load.stored() > stored + 8),
      )
      // The random delay lets the kill interrupt any step of an upload request, a PUT or a verify request.
      await pause(Math.random() * 40)
      const victim = victims[round % victims.length] as Victim
      const milliseconds = await killAndRecover(victim)
      readyAfter.push({ victim, milliseconds, load: (loadavg()[0] ?? 0) / availableParallelism() })
      await checkAcknowledged(client, applicationId, load.uploads)
      const newest = load.uploads.filter(({ buildIds }) => buildIds.size > 0).slice(-10)
      for (const upload of newest) await checkBytes(client, applicationId, upload)
      assert.deepEqual(load.failures, [], service.current().output().slice(-5_000))
    }
    await load.stop()
    assert.deepEqual(load.failures, [], service.current().output().slice(-5_000))

    const builds = await checkAcknowledged(client, applicationId, load.uploads)
    const acknowledged = load.uploads.filter(({ buildIds }) => buildIds.size > 0)
    assert.deepEqual(
      builds.map(({ id }) => id).toSorted(),
      acknowledged.flatMap(({ buildIds }) => [...buildIds]).toSorted(),
    )
    for (const upload of acknowledged) await checkBytes(client, applicationId, upload)
    const slowest = readyAfter.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
    t.diagnostic(
      `${builds.length} builds; ready again after at most ${Math.round(slowest?.milliseconds ?? 0)} ms (${slowest?.victim})`,
    )
    assert.deepEqual(
      readyAfter.filter(
        ({ milliseconds, load }) =>
          milliseconds > readyWithinMs * Math.max(1, load) && load <= maxLoadPerCore,
      ),
      [],
    )
  },
)
