import type { HTTPMethods } from 'fastify'
import { problem, type Problem } from '../../lib/problem.ts'
import type { Endpoint } from './endpoint.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

export type UnsupportedMethods = {
  path: `/${string}`
  methods: HTTPMethods[]
  /**
   * Whether the path is public. Otherwise, the key is checked first, so that callers without a key learn nothing about
   * the path.
   */
  isPublic: boolean
  problem: Problem
}

/** Returns the unsupported methods of each path and the error to respond with (RFC 9110, section 15.5.6). */
export function unsupportedMethods(endpoints: Readonly<Record<string, Endpoint>>): UnsupportedMethods[] {
  const byPath = Map.groupBy(Object.values(endpoints), ({ path }) => path)
  return [...byPath].map(([path, onPath]) => {
    const supported = new Set<string>(
      onPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    )
    const allow = methods.filter((method) => supported.has(method)).join(', ')
    return {
      path,
      methods: methods.filter((method) => !supported.has(method)),
      isPublic: onPath.some(({ scope }) => scope === 'public'),
      problem: methodNotAllowed({ allow }, { headers: { allow } }),
    }
  })
}

const methodNotAllowed = problem(
  'method_not_allowed',
  'request.method_not_allowed',
  'This method is not supported. Use one of: {allow}.',
)
