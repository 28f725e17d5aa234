export type TestCase = {
  name: string
  className: string
  seconds: number
  state: 'passed' | 'failed' | 'skipped'
  /** The message and output of a failure. */
  detail: string
}

export type TestSuite = { name: string; seconds: number; cases: TestCase[]; failed: number; skipped: number }

/**
 * Returns the suites of a JUnit, NUnit or TRX report, those with failures first; undefined if the text is not such a
 * report.
 */
export function parseTestReport(text: string): TestSuite[] | undefined {
  const document = new DOMParser().parseFromString(text, 'application/xml')
  if (document.querySelector('parsererror') !== null) return undefined
  return readSuites(document.documentElement)
    ?.filter(({ cases }) => cases.length > 0)
    .toSorted((a, b) => b.failed - a.failed)
}

function readSuites(root: Element): TestSuite[] | undefined {
  switch (root.tagName) {
    case 'testsuites':
      return [...root.querySelectorAll('testsuite')].map(readJunitSuite)
    case 'testsuite':
      return [...root.querySelectorAll('testsuite'), root].map(readJunitSuite)
    case 'test-run':
    case 'test-results':
      return [...root.querySelectorAll('test-suite')].map(readNunitSuite)
    case 'TestRun':
      return readTrxSuites(root)
    default:
      return undefined
  }
}

const stateOrder = { failed: 0, skipped: 1, passed: 2 }

function suiteOf(name: string, seconds: number, found: TestCase[]): TestSuite {
  const cases = found.toSorted((a, b) => stateOrder[a.state] - stateOrder[b.state])
  const count = (state: TestCase['state']) => cases.filter((each) => each.state === state).length
  return {
    name,
    seconds: seconds || cases.reduce((sum, each) => sum + each.seconds, 0),
    cases,
    failed: count('failed'),
    skipped: count('skipped'),
  }
}

const childrenNamed = (element: Element, name: string): Element[] =>
  [...element.children].filter(({ tagName }) => tagName === name)

const readJunitSuite = (element: Element): TestSuite =>
  suiteOf(
    element.getAttribute('name') ?? 'Tests',
    secondsOf(element),
    childrenNamed(element, 'testcase').map(readJunitCase),
  )

/** Suites of NUnit 2 keep their tests in an element `results`. */
function readNunitSuite(element: Element): TestSuite {
  const cases = [element, ...childrenNamed(element, 'results')].flatMap((parent) =>
    childrenNamed(parent, 'test-case'),
  )
  const name = element.getAttribute('fullname') ?? element.getAttribute('name') ?? 'Tests'
  return suiteOf(name, 0, cases.map(readNunitCase))
}

function readNunitCase(element: Element): TestCase {
  const result = element.getAttribute('result')
  const wasSkipped = result === 'Skipped' || result === 'Ignored' || result === 'Inconclusive'
  const wasRun = element.getAttribute('executed') !== 'False'
  const isPassed = result === 'Passed' || result === 'Success' || result === 'Warning'
  const details = ['failure > message', 'failure > stack-trace', 'reason > message']
  return {
    name: element.getAttribute('name') ?? 'Unnamed test',
    className: element.getAttribute('classname') ?? '',
    seconds: Number(element.getAttribute('duration')) || secondsOf(element),
    state: wasSkipped || !wasRun ? 'skipped' : isPassed ? 'passed' : 'failed',
    detail: joinDetails(details.map((selector) => element.querySelector(selector)?.textContent)),
  }
}

/** Results of TRX refer to the definitions of their tests, which contain the classes. */
function readTrxSuites(root: Element): TestSuite[] {
  const classes = new Map(
    [...root.querySelectorAll('TestDefinitions > UnitTest')].map((test) => [
      test.getAttribute('id'),
      test.querySelector('TestMethod')?.getAttribute('className')?.split(',', 1)[0] ?? '',
    ]),
  )
  const cases = [...root.querySelectorAll('Results > UnitTestResult')].map((result): TestCase => {
    const outcome = result.getAttribute('outcome') ?? 'Passed'
    const details = ['ErrorInfo > Message', 'ErrorInfo > StackTrace']
    return {
      name: result.getAttribute('testName') ?? 'Unnamed test',
      className: classes.get(result.getAttribute('testId')) ?? '',
      seconds: secondsOfTime(result.getAttribute('duration')),
      state: skippedOutcomes.has(outcome) ? 'skipped' : passedOutcomes.has(outcome) ? 'passed' : 'failed',
      detail: joinDetails(details.map((selector) => result.querySelector(selector)?.textContent)),
    }
  })
  return [...Map.groupBy(cases, ({ className }) => className)].map(([name, found]) =>
    suiteOf(name === '' ? 'Tests' : name, 0, found),
  )
}

const passedOutcomes = new Set(['Passed', 'PassedButRunAborted', 'Warning', 'Completed'])
const skippedOutcomes = new Set(['NotExecuted', 'NotRunnable', 'Inconclusive', 'Pending', 'Disconnected'])

/** Converts a duration such as `00:01:02.5`. */
const secondsOfTime = (time: string | null): number =>
  (time ?? '').split(':').reduce((total, part) => total * 60 + (Number(part) || 0), 0)

function readJunitCase(element: Element): TestCase {
  const child = (...names: string[]) => [...element.children].find(({ tagName }) => names.includes(tagName))
  const problem = child('failure', 'error')
  const skipped = child('skipped')
  const detail = [problem?.getAttribute('message'), problem?.textContent, skipped?.getAttribute('message')]
  return {
    name: element.getAttribute('name') ?? 'Unnamed test',
    className: element.getAttribute('classname') ?? '',
    seconds: secondsOf(element),
    state: problem !== undefined ? 'failed' : skipped === undefined ? 'passed' : 'skipped',
    detail: joinDetails(detail),
  }
}

const joinDetails = (parts: readonly (string | null | undefined)[]): string =>
  [...new Set(parts.map((part) => part?.trim() ?? ''))].filter((part) => part !== '').join('\n')

const secondsOf = (element: Element): number => Number(element.getAttribute('time')?.replaceAll(',', '')) || 0
