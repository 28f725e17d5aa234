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

type Endpoints = Readonly<Record<string, Endpoint>>

/** Returns the unsupported methods of each path and the error to respond with (RFC 9110, section 15.5.6). */
function unsupportedMethods(endpoints: Endpoints): UnsupportedMethods[] {
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

/**
 * Returns the unsupported methods of paths that another endpoint would serve: without a route, `GET …/builds/bulk` would
 * read a build with the ID `bulk`.
 */
export function shadowedMethods(endpoints: Endpoints): UnsupportedMethods[] {
  const withParameters = Object.values(endpoints).filter(({ path }) => path.includes(':'))
  const patterns = Map.groupBy(withParameters, shapeOf)
  return unsupportedMethods(endpoints)
    .map((each) => ({
      ...each,
      methods: each.methods.filter((method) =>
        patterns
          .get(shapeOf({ method: method === 'HEAD' ? 'GET' : method, path: each.path }))
          ?.some(({ path }) => patternOf(path).test(each.path)),
      ),
    }))
    .filter(({ methods }) => methods.length > 0)
}

/** Only paths with the same number of parts can be equal. */
const shapeOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.split('/').length}`

/**
 * Returns a function that finds the path of a request that no route serves, if endpoints serve it with other methods.
 * Routes for all of them would take 170 ms of CPU time at every start.
 */
export function createUnsupportedMethods(endpoints: Endpoints) {
  let paths: (UnsupportedMethods & { pattern: RegExp })[] | undefined
  return (method: string, path: string): UnsupportedMethods | undefined => {
    paths ??= unsupportedMethods(endpoints)
      .map((each) => ({ ...each, pattern: patternOf(each.path) }))
      .toSorted((a, b) => (specificity(a) < specificity(b) ? -1 : 1))
    const found = paths.find(({ pattern }) => pattern.test(path))
    return found?.methods.some((each) => each === method) === true ? found : undefined
  }
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)

/** Orders a fixed part of a path before a parameter in the same place, as the router does. */
const specificity = ({ path }: UnsupportedMethods): string => path.replaceAll(/:\w+/g, '~')

const methodNotAllowed = problem(
  'method_not_allowed',
  'request.method_not_allowed',
  'This method is not supported. Use one of: {allow}.',
)
