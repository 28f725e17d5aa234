import { startOwnService, type Service } from './harness.ts'

/** Starts two nodes of a service. `close` stops the second one before the first, which removes their data. */
export async function startTwoNodes(): Promise<{ first: Service; second: Service; close(): Promise<void> }> {
  const first = await startOwnService()
  const second = await startOwnService({ state: first.state })
  return {
    first,
    second,
    async close() {
      await second.stop()
      await first.close()
    },
  }
}
