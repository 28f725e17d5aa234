import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the answer is neither false nor undefined; throws when that takes too long. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain until ${what}`)
    await pause(everyMs)
  }
}
