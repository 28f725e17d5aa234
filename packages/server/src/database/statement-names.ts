import { createHash } from 'node:crypto'

/**
 * Put into a statement whose best plan hangs on its values: a prepared one is soon planned for any value, and a list
 * of a branch that has half of a million builds was read 40 times slower by that.
 */
export const plannedAnew = '/* planned anew */'

const worthNaming = /^\s*(select|insert|update|delete|with|merge)\b/i

/**
 * Names for prepared statements: the same text has the same name on every connection of a pool.
 * Each name costs the server memory on every connection, so there are at most `limit`, given to texts that
 * came back; whoever makes up ever new texts only fills the list of candidates, which is emptied when full.
 */
export class StatementNames {
  readonly #limit: number
  readonly #names = new Map<string, string>()
  readonly #seenOnce = new Set<string>()
  readonly #barred = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The name to prepare `text` by, or undefined where it is sent unnamed. */
  nameOf(text: string, parameterCount: number): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= this.#limit || this.#barred.has(text)) return undefined
    // without parameters the text may hold several statements, which can not be prepared as one
    if (text.includes(plannedAnew)) return undefined
    if (!worthNaming.test(text) || (parameterCount === 0 && text.includes(';'))) return undefined
    if (!this.#seenOnce.delete(text)) {
      if (this.#seenOnce.size >= this.#limit * 4) this.#seenOnce.clear()
      this.#seenOnce.add(text)
      return undefined
    }
    const name = `q_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    this.#names.set(text, name)
    return name
  }

  /** From now on `text` goes unnamed: connections hold a plan under its name that is out of date. */
  bar(text: string): void {
    if (this.#names.delete(text)) this.#barred.add(text)
  }
}
