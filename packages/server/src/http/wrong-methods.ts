import type { HTTPMethods } from 'fastify'
import { Problem } from '../lib/problem.ts'
import type { Endpoint } from './endpoint.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

export type WrongMethods = {
  path: `/${string}`
  methods: HTTPMethods[]
  /** Callers without a key learn nothing of paths that ask for one. */
  isPublic: boolean
  problem: Problem
}

/** For each path the methods that no endpoint there takes (RFC 9110 section 15.5.6). */
export function wrongMethods(endpoints: Readonly<Record<string, Endpoint>>): WrongMethods[] {
  const byPath = Map.groupBy(Object.values(endpoints), ({ path }) => path)
  return [...byPath].map(([path, here]) => {
    const taken = new Set<string>(
      here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    )
    const allow = methods.filter((method) => taken.has(method)).join(', ')
    return {
      path,
      methods: methods.filter((method) => !taken.has(method)),
      isPublic: here.some(({ scope }) => scope === 'public'),
      problem: new Problem('method_not_allowed', 'request.method_not_allowed', `Use one of ${allow}.`, {
        headers: { allow },
      }),
    }
  })
}
