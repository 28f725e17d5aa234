import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import { startByteCounter } from './byte-counter.ts'
import { cliEnvironment, cliProgram, runCli } from './cli.ts'
import { childCpuMilliseconds, seconds } from './commands.ts'
import { cpuSeconds, startService } from './service.ts'
import { createApplication } from './uploads.ts'

export type Measured = {
  bytes: number
  sentBytes: number
  seconds: number
  cpuSeconds: number
  serverCpuSeconds: number
}

type File = { data: { primary_file: { id: string } } }

/** Starts a service and counts all bytes on the connections of the command line, which keeps its files in `home`. */
export async function startMeteredCli(home: string) {
  const port = await freePort()
  const counter = await startByteCounter(port)
  const origin = `http://127.0.0.1:${counter.port}`
  const service = await startService({ QUAYSIDE_PORT: String(port), QUAYSIDE_PUBLIC_URL: origin })
  const applicationId = await createApplication(service)
  const env = {
    ...cliEnvironment(service, home),
    QUAYSIDE_SERVER: origin,
    QUAYSIDE_APPLICATION: applicationId,
  }
  const pathOfFile = async (buildId: string) => {
    const path = `/applications/${applicationId}/builds/${buildId}`
    const { data } = await service.api<File>('GET', path)
    return `${path}/files/${data.primary_file.id}`
  }
  return {
    service,
    applicationId,
    run: (args: string[]) => runCli(args, env),

    /** Runs `quayside` and returns what it needed. */
    async measure(args: string[]): Promise<Measured> {
      let [time, cpu] = [0, 0]
      const before = await cpuSeconds([service.pid])
      const { up, down } = await counter.during(async () => {
        time = await seconds(async () => {
          cpu = await childCpuMilliseconds(process.execPath, [cliProgram, ...args], env)
        })
      })
      const serverCpuSeconds = (await cpuSeconds([service.pid])) - before
      return { bytes: down, sentBytes: up, seconds: time, cpuSeconds: cpu / 1000, serverCpuSeconds }
    },

    async latestBuild(): Promise<string> {
      const path = `/applications/${applicationId}/builds?sort_by=created_at&sort=desc`
      const { data } = await service.api<{ data: { id: string }[] }>('GET', path)
      return data[0]?.id ?? ''
    },

    /** Waits until the service has computed the chunk index of a build, which it does once a minute. */
    async waitForIndex(buildId: string): Promise<void> {
      const url = `${service.origin}/api/v1${await pathOfFile(buildId)}/chunks`
      const options = {
        headers: { authorization: `Bearer ${service.key}` },
        redirect: 'manual',
      } as const
      while ((await fetch(url, options)).status !== 302) await pause(500)
    },

    /** Waits for the patch to the file of a build. Returns its size, or undefined if there is none after `minutes`. */
    async waitForPatch(buildId: string, minutes: number): Promise<number | undefined> {
      const path = `${await pathOfFile(buildId)}/patches`
      const deadline = Date.now() + minutes * 60_000
      for (; Date.now() < deadline; await pause(2_000)) {
        const { data } = await service.api<{ data: { size_bytes: number }[] }>('GET', path)
        if (data[0] !== undefined) return data[0].size_bytes
      }
      return undefined
    },

    async stop(): Promise<void> {
      counter.stop()
      await service.stop()
    },
  }
}
