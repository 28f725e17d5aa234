import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { endWithUs } from './service.ts'

/** Runs a load client of this folder in a process of its own; the one number that it prints. */
export async function clientProcess(program: string, load: object): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const exit = once(child, 'exit') as Promise<[number | null]>
  const [printed, [exitCode]] = await Promise.all([text(child.stdout), exit])
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`)
  return Number(printed)
}
