import { registerHooks } from 'node:module'
import nodeTest from 'node:test'
import { getCallSites, type CallSiteObject } from 'node:util'
import { runInThisContext } from 'node:vm'

// Test files that share a process get a suite each. Otherwise, node:test would run the `before` hooks of all files at
// once and their `after` hooks at the end, and each service would run, and poll its database, for as long as the group.

const repository = new URL('..', import.meta.url).href
const ownUrl = import.meta.url

/** A function of node:test that registers a test, a suite or a hook. */
type Register = (...args: never[]) => unknown

/** The calls of the file that is being loaded. */
let recorded: (() => void)[] | undefined

/** Returns a function of node:test that postpones the call while a file is being loaded. */
function postponed(original: Register): Register {
  return (...args) => {
    if (recorded === undefined) return original(...args)
    const [, site] = getCallSites(2)
    recorded.push(() => callFrom(site, original, args))
    return undefined
  }
}

/** Calls a function from the position of the recorded call, which node:test reports as the position of a test. */
function callFrom(site: CallSiteObject | undefined, original: Register, args: unknown[]): void {
  const { scriptName, lineNumber, columnNumber } = site ?? { scriptName: '', lineNumber: 1, columnNumber: 1 }
  const call = runInThisContext('(original, args) => original(...args)', {
    filename: scriptName,
    lineOffset: lineNumber - 1,
    columnOffset: columnNumber - 1,
  }) as (original: Register, args: unknown[]) => void
  call(original, args)
}

const postponedTest = (original: typeof nodeTest.test | typeof nodeTest.describe) =>
  Object.assign(postponed(original), {
    skip: postponed(original.skip),
    todo: postponed(original.todo),
    only: postponed(original.only),
  })

export const test = postponedTest(nodeTest.test)
export const it = postponedTest(nodeTest.it)
export const describe = postponedTest(nodeTest.describe)
export const suite = postponedTest(nodeTest.suite)
export const before = postponed(nodeTest.before)
export const after = postponed(nodeTest.after)
export const beforeEach = postponed(nodeTest.beforeEach)
export const afterEach = postponed(nodeTest.afterEach)
export const { mock } = nodeTest
// oxlint-disable-next-line import/no-default-export -- node:test has one
export { test as default }

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context
    const isRedirected =
      specifier === 'node:test' &&
      parentURL.startsWith(repository) &&
      parentURL !== ownUrl &&
      !parentURL.includes('/node_modules/')
    return isRedirected ? { url: ownUrl, shortCircuit: true } : nextResolve(specifier, context)
  },
})

/** Loads a test file and puts its tests and hooks into a suite with the name of the file. */
export async function loadFile(name: string): Promise<void> {
  const calls: (() => void)[] = []
  recorded = calls
  try {
    await import(new URL(name, repository).href)
  } finally {
    recorded = undefined
  }
  void nodeTest.describe(name, () => {
    for (const call of calls) call()
  })
}
