import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk } from './client.ts'
import { checkBytes, checkPromises } from './crash-checks.ts'
import { startLoad } from './crash-load.ts'
import { prepareService, type Service, type Victim } from './npm-start.ts'
import { until } from './until.ts'

const rounds = Number(process.env['QUAYSIDE_CRASH_ROUNDS'] ?? 6)
const victims: Victim[] = ['service', 'database', 'both', 'npm', 'everything', 'database']
const readyWithinMs = 10_000
/** Beyond this many processes waiting for each core a clock tells more of the others than of us. */
const crowdedLoad = 4

let service: Service
let applicationId: string

before(async () => {
  service = await prepareService()
  await service.start()
  applicationId = expectOk(await service.client.createApplication('Crash')).data.id
})
after(() => service.remove())

/** kill -9, then `npm start` where the service was hit; answers after how many milliseconds it was ready again. */
async function killAndRecover(victim: Victim): Promise<number> {
  const began = performance.now()
  const hit = service.databasePid()
  await service.kill(victim)
  if (victim !== 'database') return service.start()
  const healed = async () => ![undefined, hit].includes(service.databasePid()) && (await service.isReady())
  await until('the database is back', healed, { withinMs: 60_000 })
  return performance.now() - began
}

test(
  `service and PostgreSQL killed with -9 in the midst of uploads, ${rounds} times, nothing acknowledged is lost`,
  {
    skip: process.platform !== 'linux' && 'processes are found in /proc',
  },
  async (t) => {
    const { client } = service
    const load = startLoad(client, applicationId, { workers: 5 })
    const readyAfter: { victim: Victim; milliseconds: number; load: number }[] = []
    for (let round = 0; round < rounds; round++) {
      await load.park()
      const [verified, stored] = [load.verified(), load.stored()]
      await until(
        'the load is under way',
        () => load.complaints.length > 0 || (load.verified() > verified + 2 && load.stored() > stored + 8),
      )
      // anywhere in a request, a PUT or a verify
      await pause(Math.random() * 40)
      const victim = victims[round % victims.length] as Victim
      const milliseconds = await killAndRecover(victim)
      readyAfter.push({ victim, milliseconds, load: (loadavg()[0] ?? 0) / availableParallelism() })
      await checkPromises(client, applicationId, load.uploads)
      const newest = load.uploads.filter(({ buildIds }) => buildIds.size > 0).slice(-10)
      for (const upload of newest) await checkBytes(client, applicationId, upload)
      assert.deepEqual(load.complaints, [], service.current().output().slice(-5_000))
    }
    await load.stop()
    assert.deepEqual(load.complaints, [], service.current().output().slice(-5_000))

    const builds = await checkPromises(client, applicationId, load.uploads)
    const acknowledged = load.uploads.filter(({ buildIds }) => buildIds.size > 0)
    assert.deepEqual(
      builds.map(({ id }) => id).toSorted(),
      acknowledged.flatMap(({ buildIds }) => [...buildIds]).toSorted(),
    )
    for (const upload of acknowledged) await checkBytes(client, applicationId, upload)
    const worst = readyAfter.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
    t.diagnostic(
      `${builds.length} builds; ready again after at most ${Math.round(worst?.milliseconds ?? 0)} ms (${worst?.victim})`,
    )
    assert.deepEqual(
      readyAfter.filter(({ milliseconds, load }) => milliseconds > readyWithinMs && load <= crowdedLoad),
      [],
    )
  },
)
