import { createHash } from 'node:crypto'

/**
 * Marks a statement whose best plan depends on its values, so that it is not prepared. After five executions,
 * PostgreSQL can switch a prepared statement to a generic plan, which made listing a branch with half a million builds
 * take 40 times as long.
 */
export const customPlanMarker = '/* custom plan */'

const preparable = /^\s*(select|insert|update|delete|with|merge)\b/i

/**
 * Assigns names to prepared statements. A statement has the same name on every connection of a pool. Each prepared
 * statement uses server memory on every connection, so only repeated statements get a name, up to `limit` names.
 * Statements that were seen once are remembered in a set, which is cleared when it is full.
 */
export class StatementNames {
  #limit: number
  readonly #onStop: (() => void) | undefined
  readonly #names = new Map<string, string>()
  readonly #seenOnce = new Set<string>()
  readonly #barred = new Set<string>()

  /** `onStop` is called once if `stop` is called. */
  constructor(limit: number, onStop?: () => void) {
    this.#limit = limit
    this.#onStop = onStop
  }

  /** Returns the name under which to prepare `text`, or undefined to send it unnamed. */
  nameOf(text: string, parameterCount: number): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= this.#limit || this.#barred.has(text)) return undefined
    if (text.includes(customPlanMarker)) return undefined
    // Text without parameters may contain several statements, which cannot be prepared as one.
    if (!preparable.test(text) || (parameterCount === 0 && text.includes(';'))) return undefined
    if (!this.#seenOnce.delete(text)) {
      if (this.#seenOnce.size >= this.#limit * 4) this.#seenOnce.clear()
      this.#seenOnce.add(text)
      return undefined
    }
    const name = `q_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    this.#names.set(text, name)
    return name
  }

  /** Stops naming `text`, because connections have prepared an outdated plan under its name. */
  bar(text: string): void {
    if (this.#names.delete(text)) this.#barred.add(text)
  }

  /** Stops naming statements, because sessions of the server do not keep the statements that a client has prepared. */
  stop(): void {
    if (this.#limit > 0) this.#onStop?.()
    this.#limit = 0
    this.#names.clear()
    this.#seenOnce.clear()
  }
}
