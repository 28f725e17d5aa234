import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { endWithUs } from './service.ts'

export type HttpLoad = { port: number; path: string; key: string; clients: number; seconds: number }

/** Requests a second that as many keep-alive clients, in a process of their own, get answered with 200. */
export async function httpLoad(load: HttpLoad): Promise<number> {
  const program = join(import.meta.dirname, 'http-load.client.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (exitCode !== 0) throw new Error(`the load client ended with ${String(exitCode)}`)
  return Number(printed)
}
