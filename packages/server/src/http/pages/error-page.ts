import { html } from '../../lib/html.ts'
import type { Problem, ProblemKind } from '../../lib/problem.ts'
import { symbol, type SymbolName } from '../endpoint/symbols.ts'
import type { DocumentContent } from './document.ts'
import type { VisitorText } from './text/english.ts'

/** What an error page says: what happened and what the visitor can do. */
export type Explanation = {
  title: string
  text: string
  symbol?: SymbolName
  action?: { label: string; path: string }
}

type ErrorText = { title: string; text: string }

/** Returns the explanation of an error whose code has one. */
export function explainCode<Code extends string>(
  code: string,
  texts: Record<Code, ErrorText>,
  symbols: Record<Code, SymbolName>,
): Explanation | undefined {
  if (!Object.hasOwn(texts, code)) return undefined
  const known = code as Code
  return { ...texts[known], symbol: symbols[known] }
}

const symbols: { [Kind in ProblemKind]?: SymbolName } = {
  not_found: 'search',
  gone: 'clock',
  unauthorized: 'lock',
  forbidden: 'lock',
  too_many: 'clock',
  timeout: 'clock',
  unavailable: 'clock',
}

/** Returns an explanation of any error for people; undefined stands for an internal error. */
export function explainProblem(problem: Problem | undefined, text: VisitorText): Explanation {
  if (problem === undefined) return { ...text.errors.internal, symbol: 'warning' }
  return { ...describe(problem, text), symbol: symbols[problem.kind] ?? 'warning' }
}

function describe(problem: Problem, text: VisitorText): ErrorText {
  const { gone, denied, tooMany, busy, rejected, ...general } = text.errors
  const { kind, message } = problem
  if (kind === 'not_found') return general.notFound
  if (kind === 'out_of_space') return general.outOfSpace
  if (kind === 'too_many') return { ...tooMany, text: tooMany.text(retryText(problem, text)) }
  if (kind === 'timeout' || kind === 'unavailable')
    return { ...busy, text: busy.text(retryText(problem, text)) }
  if (kind === 'gone') return { ...gone, text: gone.text(message) }
  if (kind === 'unauthorized' || kind === 'forbidden') return { ...denied, text: denied.text(message) }
  return { ...rejected, text: rejected.text(message) }
}

/** Returns when to try again, in words. */
export function retryText({ headers }: Pick<Problem, 'headers'>, { retry }: VisitorText): string {
  const seconds = Number(headers['retry-after'] ?? 0)
  if (seconds === 0) return retry.later
  if (seconds <= 90) return retry.seconds(seconds)
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? retry.minutes(minutes) : retry.hours(Math.ceil(minutes / 60))
}

/** Renders an error for people. The request ID is shown only for errors that an administrator must look into. */
export function errorDocument(
  { title, text, symbol: name = 'warning', action }: Explanation,
  requestId?: { label: string; id: string },
): DocumentContent {
  const body = html`<section class="card notice">
    <div class="symbol">${symbol(name)}</div>
    <h1>${title}</h1>
    <p>${text}</p>
    ${action !== undefined && html`<a class="button secondary" href="${action.path}">${action.label}</a>`}
    ${requestId !== undefined && html`<p class="small">${requestId.label} <code>${requestId.id}</code></p>`}
  </section>`
  return { title, body }
}
