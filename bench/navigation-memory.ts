import type { Page } from 'playwright-core'

/** Bytes of the heap of JavaScript, and how many nodes and event listeners the document has. */
type Memory = { heap: number; nodes: number; listeners: number }

/**
 * Opens the paths in turn within one page, as its links do, and returns the memory in use after they have all been opened
 * twice, and after this many navigations.
 */
export async function navigationMemory(
  { page, navigate }: { page: Page; navigate: (path: string) => Promise<void> },
  paths: readonly string[],
  navigations: number,
): Promise<Record<keyof Memory, { before: number; after: number }>> {
  const open = async (count: number) => {
    for (let index = 0; index < count; index++) await navigate(paths[index % paths.length] ?? '/')
  }
  await open(2 * paths.length)
  const before = await memoryOf(page)
  await open(Math.max(0, navigations - 2 * paths.length))
  const after = await memoryOf(page)
  const of = (name: keyof Memory) => ({ before: before[name], after: after[name] })
  return { heap: of('heap'), nodes: of('nodes'), listeners: of('listeners') }
}

async function memoryOf(page: Page): Promise<Memory> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  // Weak references are cleared only by a second collection.
  for (let count = 0; count < 2; count++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heap: valueOf('JSHeapUsedSize'),
    nodes: valueOf('Nodes'),
    listeners: valueOf('JSEventListeners'),
  }
}
