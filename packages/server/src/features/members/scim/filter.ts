import { ScimError } from './scim-error.ts'

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le' | 'pr'
export type Literal = string | number | boolean | null

/** A parsed filter (RFC 7644, section 3.4.2.2). Paths are in lower case, because attribute names ignore it. */
export type Filter =
  | { kind: 'compare'; path: string; operator: Operator; value: Literal }
  | { kind: 'some'; path: string; filter: Filter }
  | { kind: 'and' | 'or'; left: Filter; right: Filter }
  | { kind: 'not'; filter: Filter }

const maxLength = 2_000
const maxDepth = 20
const operators = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'])
const token = /\s*("(?:[^"\\\p{Cc}]|\\.)*"|[()[\]]|[^\s()[\]"]+)/uy
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

const invalidFilter = (detail: string): ScimError => new ScimError(400, detail, 'invalidFilter')

/** Parses a filter. Throws `invalidFilter` if it is not valid. */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw invalidFilter(`The filter is longer than ${maxLength} characters.`)
  return new FilterParser(tokensOf(text)).parse()
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  const trimmed = text.trimEnd()
  token.lastIndex = 0
  while (token.lastIndex < trimmed.length) {
    const at = token.lastIndex
    const [, found] = token.exec(trimmed) ?? []
    if (found === undefined) throw invalidFilter(`The filter is not valid at character ${at + 1}.`)
    tokens.push(found)
  }
  return tokens
}

class FilterParser {
  private readonly tokens: readonly string[]
  private at = 0
  private depth = 0

  constructor(tokens: readonly string[]) {
    this.tokens = tokens
  }

  parse(): Filter {
    const filter = this.or()
    if (this.peek() !== undefined) throw invalidFilter(`The filter is not valid at "${this.peek()}".`)
    return filter
  }

  private peek = (): string | undefined => this.tokens[this.at]
  private isNext = (word: string): boolean => this.peek()?.toLowerCase() === word

  private next(): string {
    const found = this.tokens[this.at]
    if (found === undefined) throw invalidFilter('The filter is incomplete.')
    this.at += 1
    return found
  }

  private expect(word: string): void {
    if (this.next().toLowerCase() !== word) throw invalidFilter(`The filter lacks "${word}".`)
  }

  private or(): Filter {
    let left = this.and()
    while (this.isNext('or')) {
      this.next()
      left = { kind: 'or', left, right: this.and() }
    }
    return left
  }

  private and(): Filter {
    let left = this.term()
    while (this.isNext('and')) {
      this.next()
      left = { kind: 'and', left, right: this.term() }
    }
    return left
  }

  private nested(close: string): Filter {
    this.depth += 1
    if (this.depth > maxDepth) throw invalidFilter('The filter has too many levels.')
    const filter = this.or()
    this.expect(close)
    this.depth -= 1
    return filter
  }

  private term(): Filter {
    const first = this.next()
    if (first === '(') return this.nested(')')
    if (first.toLowerCase() === 'not') {
      this.expect('(')
      return { kind: 'not', filter: this.nested(')') }
    }
    const path = attributePath(first)
    if (this.isNext('[')) return this.elements(path)
    return this.comparison(path)
  }

  /** Parses `emails[type eq "work"]`, and `emails[type eq "work"].value eq "…"`, which Microsoft Entra ID sends. */
  private elements(path: string): Filter {
    this.next()
    const filter = this.nested(']')
    if (this.peek()?.startsWith('.') !== true) return { kind: 'some', path, filter }
    const name = attributePath(this.next().slice(1))
    return { kind: 'some', path, filter: { kind: 'and', left: filter, right: this.comparison(name) } }
  }

  private comparison(path: string): Filter {
    const operator = this.next().toLowerCase()
    if (!isOperator(operator)) throw invalidFilter(`"${operator}" is not an operator.`)
    return { kind: 'compare', path, operator, value: operator === 'pr' ? null : literal(this.next()) }
  }
}

const isOperator = (word: string): word is Operator => operators.has(word)

function attributePath(word: string): string {
  const path = word.toLowerCase().replace(coreSchema, '')
  if (!/^[a-z$][\w$:.-]*$/.test(path)) throw invalidFilter(`"${word}" is not an attribute.`)
  return path
}

function literal(word: string): Literal {
  try {
    const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(word) ? word.toLowerCase() : word)
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Literal
  } catch {
    // Reported below.
  }
  throw invalidFilter(`${word.slice(0, 100)} is not a value. Quote strings.`)
}

/** Returns whether an element of a multi-valued attribute matches. Strings are compared without regard to case. */
export function matches(filter: Filter, element: Readonly<Record<string, unknown>>): boolean {
  if (filter.kind === 'and') return matches(filter.left, element) && matches(filter.right, element)
  if (filter.kind === 'or') return matches(filter.left, element) || matches(filter.right, element)
  if (filter.kind === 'not') return !matches(filter.filter, element)
  return filter.kind === 'compare' && compare(filter, attributeOf(element, filter.path))
}

const attributeOf = (element: Readonly<Record<string, unknown>>, path: string): unknown =>
  Object.entries(element).find(([name]) => name.toLowerCase() === path)?.[1]

function compare({ operator, value }: Extract<Filter, { kind: 'compare' }>, actual: unknown): boolean {
  if (operator === 'pr') return actual !== undefined && actual !== null && actual !== ''
  const [left, right] = [actual, value].map((each) => (typeof each === 'string' ? each.toLowerCase() : each))
  if (operator === 'eq') return left === right
  if (operator === 'ne') return left !== right
  if (typeof left !== 'string' || typeof right !== 'string') return false
  if (operator === 'co') return left.includes(right)
  if (operator === 'sw') return left.startsWith(right)
  if (operator === 'ew') return left.endsWith(right)
  throw invalidFilter(`The operator ${operator} is not supported here.`)
}
