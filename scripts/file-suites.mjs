import module from 'node:module'
import nodeTest from 'node:test'
import { getCallSites } from 'node:util'
import { runInThisContext } from 'node:vm'

// Test files that share a process get a suite each. Otherwise, node:test would run the `before` hooks of all files at
// once and their `after` hooks at the end, and each service would run, and poll its database, for as long as the group.

const repository = new URL('..', import.meta.url).href
const ownUrl = import.meta.url

/** The calls of the file that is being loaded. */
let recorded

/** Returns a function of node:test that postpones the call while a file is being loaded. */
function postponed(original) {
  return (...args) => {
    if (recorded === undefined) return original(...args)
    const [, site] = getCallSites(2)
    recorded.push(() => callFrom(site, original, args))
    return undefined
  }
}

/** Calls a function from the position of the recorded call, which node:test reports as the position of a test. */
function callFrom({ scriptName, lineNumber, columnNumber }, original, args) {
  const call = runInThisContext('(original, args) => original(...args)', {
    filename: scriptName,
    lineOffset: lineNumber - 1,
    columnOffset: columnNumber - 1,
  })
  call(original, args)
}

function postponedTest(original) {
  const result = postponed(original)
  for (const variant of ['skip', 'todo', 'only']) result[variant] = postponed(original[variant])
  return result
}

export const test = postponedTest(nodeTest.test)
export const it = postponedTest(nodeTest.it)
export const describe = postponedTest(nodeTest.describe)
export const suite = postponedTest(nodeTest.suite)
export const before = postponed(nodeTest.before)
export const after = postponed(nodeTest.after)
export const beforeEach = postponed(nodeTest.beforeEach)
export const afterEach = postponed(nodeTest.afterEach)
export const { mock } = nodeTest
export { test as default }

module.registerHooks({
  resolve(specifier, context, nextResolve) {
    const isRedirected =
      specifier === 'node:test' &&
      context.parentURL?.startsWith(repository) &&
      context.parentURL !== ownUrl &&
      !context.parentURL.includes('/node_modules/')
    return isRedirected ? { url: ownUrl, shortCircuit: true } : nextResolve(specifier, context)
  },
})

/** Loads a test file and puts its tests and hooks into a suite with the name of the file. */
export async function loadFile(name) {
  const calls = []
  recorded = calls
  try {
    await import(new URL(name, repository).href)
  } finally {
    recorded = undefined
  }
  nodeTest.describe(name, () => {
    for (const call of calls) call()
  })
}
