import type { Deps } from '../deps.ts'

/** Measures a job and records it as a span. */
export async function observeJob(
  { metrics, tracing }: Pick<Deps, 'metrics' | 'tracing'>,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  let hasFailed = true
  try {
    await tracing.span(`job ${name}`, { 'quayside.job': name }, work)
    hasFailed = false
  } finally {
    metrics.recordJob({ name, seconds: (performance.now() - startedAt) / 1_000, hasFailed })
  }
}
