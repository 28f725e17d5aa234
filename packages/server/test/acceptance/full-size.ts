/** Whether the tests run all their cases, as in CI. CONTRIBUTING.md lists the variables. */
export const isFullSize = (process.env['QUAYSIDE_SLOW_TESTS'] ?? '') !== ''

/**
 * Returns all cases at full size. Otherwise returns every n-th case, a different one for each turn, so that n successive
 * turns, such as neighboring endpoints, cover all cases.
 */
export const someOf = <T>(cases: readonly T[], n: number, turn: number): readonly T[] =>
  isFullSize ? cases : everyNth(cases, n, turn)

/** Returns every n-th case, a different one for each turn. */
export const everyNth = <T>(cases: readonly T[], n: number, turn: number): readonly T[] =>
  cases.filter((_, index) => (index + turn) % n === 0)
