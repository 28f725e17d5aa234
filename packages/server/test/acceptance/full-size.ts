/** Whether the tests run all their cases, as in CI. CONTRIBUTING.md lists the variables. */
export const isFullSize = (process.env['QUAYSIDE_SLOW_TESTS'] ?? '') !== ''

/**
 * Returns all cases at full size. Otherwise returns every n-th case, a different one for each turn, so that n successive
 * turns, such as neighboring endpoints, cover all cases.
 */
export function someOf<T>(cases: readonly T[], n: number, turn: number): readonly T[] {
  return isFullSize ? cases : cases.filter((_, index) => (index + turn) % n === 0)
}
