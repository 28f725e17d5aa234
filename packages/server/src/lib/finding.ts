/** The result of one check. */
export type Finding = {
  check: string
  status: 'ok' | 'warning' | 'failure'
  detail: string
  /** What to do; absent if the status is ok. */
  advice?: string
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail })

export const warning = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'warning',
  detail,
  advice,
})

export const failure = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'failure',
  detail,
  advice,
})

/** Returns why a call failed, such as `connect ECONNREFUSED 127.0.0.1:4400`. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) }
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
  return cause instanceof Error ? cause.message : message
}
