import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { endWithUs } from './service.ts'

/** Runs a program of this folder in a process of its own, `input` as JSON on its stdin; the rate that it prints. */
export async function rateOf(
  program: string,
  input: object,
  settings: Record<string, string> = {},
): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const exit = new Promise<number | null>((resolve) => void child.once('exit', resolve))
  child.stdin.end(JSON.stringify(input))
  const [printed, exitCode] = await Promise.all([text(child.stdout), exit])
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`)
  return Number(printed)
}
