import { html } from '../lib/html.ts'
import type { Problem, ProblemKind } from '../lib/problem.ts'
import type { DocumentContent } from './document.ts'
import { symbol, type SymbolName } from './symbols.ts'

/** What an error page says: what happened and what the visitor can do. */
export type Explanation = {
  title: string
  text: string
  symbol?: SymbolName
  action?: { label: string; path: string }
}

type General = { title: string; symbol: SymbolName; text: string | ((problem: Problem) => string) }

const accessDenied: General = { title: 'Access denied', text: ({ message }) => message, symbol: 'lock' }
const busy: General = {
  title: 'Temporarily unavailable',
  text: (problem) => `The service is busy. ${retryText(problem)}`,
  symbol: 'clock',
}

const byKind: { [Kind in ProblemKind]?: General } = {
  not_found: {
    title: 'Page not found',
    text: 'There is nothing at this address. Check that the address is complete.',
    symbol: 'search',
  },
  gone: { title: 'No longer available', text: ({ message }) => message, symbol: 'clock' },
  unauthorized: accessDenied,
  forbidden: accessDenied,
  too_many: {
    title: 'Too many requests',
    text: (problem) => `Your network has sent too many requests. ${retryText(problem)}`,
    symbol: 'clock',
  },
  timeout: busy,
  unavailable: busy,
  out_of_space: {
    title: 'Temporarily unavailable',
    text: 'The server has no disk space left. Try again later.',
    symbol: 'warning',
  },
}
const rejected: General = {
  title: 'The request was rejected',
  text: ({ message }) => message,
  symbol: 'warning',
}

/** Returns an explanation of any error for people; undefined stands for an internal error. */
export function explainProblem(problem: Problem | undefined): Explanation {
  if (problem === undefined)
    return {
      title: 'Something went wrong',
      text: 'The server could not complete the request. Try again later.',
      symbol: 'warning',
    }
  const { title, text, symbol: name } = byKind[problem.kind] ?? rejected
  return { title, text: typeof text === 'string' ? text : text(problem), symbol: name }
}

/** Returns when to try again, in words. */
export function retryText({ headers }: Pick<Problem, 'headers'>): string {
  const seconds = Number(headers['retry-after'] ?? 0)
  if (seconds === 0) return 'Try again later.'
  if (seconds <= 90) return `Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return `Try again in ${minutes} minutes.`
  return `Try again in ${Math.ceil(minutes / 60)} hours.`
}

/** Renders an error for people. The request ID is shown only for errors that an administrator must look into. */
export function errorDocument(
  { title, text, symbol: name = 'warning', action }: Explanation,
  requestId?: string,
): DocumentContent {
  const body = html`<section class="card notice">
    <div class="symbol">${symbol(name)}</div>
    <h1>${title}</h1>
    <p>${text}</p>
    ${action !== undefined && html`<a class="button secondary" href="${action.path}">${action.label}</a>`}
    ${requestId !== undefined && html`<p class="small">Request ID: <code>${requestId}</code></p>`}
  </section>`
  return { title, body }
}
