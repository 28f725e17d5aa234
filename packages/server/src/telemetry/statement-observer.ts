import type { StatementObserver } from '../database/client.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Tracing } from '../lib/tracing.ts'

const maxStatementLength = 2_000

/** Returns an observer that measures each statement and records it as a span. Values are never recorded. */
export const createStatementObserver =
  ({ metrics, tracing }: { metrics: Metrics; tracing: Tracing }): StatementObserver =>
  (text) => {
    const startedAt = performance.now()
    const end = tracing.start(operationOf(text), {
      'db.system.name': 'postgresql',
      'db.query.text': text.slice(0, maxStatementLength),
    })
    return (error) => {
      const seconds = (performance.now() - startedAt) / 1_000
      metrics.recordStatement({ seconds, errorCode: error === undefined ? undefined : codeOf(error) })
      end(error)
    }
  }

/** Returns the first word of a statement, such as `select`. */
const operationOf = (text: string): string => /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'statement'

/** Returns the SQLSTATE, or the code of the error that caused the failure. */
function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  const ofCause = (cause as { code?: unknown } | undefined)?.code
  if (typeof ofCause === 'string') return ofCause
  return typeof code === 'string' ? code : 'unknown'
}
