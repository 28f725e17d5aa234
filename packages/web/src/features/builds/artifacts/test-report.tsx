import { buildText } from '../../../text/builds/build.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { IconCheck, IconChevronDown, IconMinus, IconX } from '../../../ui/icons/icons.ts'
import classes from './artifacts.module.css'
import type { TestCase, TestSuite } from './parse-test-report.ts'

/** Shows the suites of a test report. Suites and tests that failed come first and are open. */
export function TestReport({ suites }: { suites: readonly TestSuite[] }) {
  const sum = (count: (suite: TestSuite) => number) =>
    suites.reduce((total, suite) => total + count(suite), 0)
  const failed = sum((suite) => suite.failed)
  const skipped = sum((suite) => suite.skipped)
  return (
    <>
      <div className={classes.summary}>
        <strong className={failed > 0 ? classes.failed : classes.passed}>
          {failed > 0 ? `${plural(failed, 'test')} failed` : buildText.artifacts.allPassed}
        </strong>
        <span>{plural(sum(({ cases }) => cases.length) - failed - skipped, 'test')} passed</span>
        {skipped > 0 && <span>{skipped} skipped</span>}
        <span className={classes.count}>{secondsText(sum(({ seconds }) => seconds))}</span>
      </div>
      {suites.map((suite, index) => (
        <details key={`${index} ${suite.name}`} className={classes.suite} open={suite.failed > 0}>
          <summary>
            <span>{suite.name}</span>
            <span className={suite.failed > 0 ? classes.failed : classes.count}>
              {suite.failed > 0
                ? `${suite.failed} of ${suite.cases.length} failed`
                : plural(suite.cases.length, 'test')}
            </span>
            <span className={classes.count}>{secondsText(suite.seconds)}</span>
            <IconChevronDown size={14} aria-hidden />
          </summary>
          <ul className={classes.cases}>
            {suite.cases.map((test, position) => (
              <Test key={`${position} ${test.name}`} test={test} suite={suite} />
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}

const icons = {
  passed: <IconCheck size={14} color="var(--q-good)" role="img" aria-label="Passed" />,
  failed: <IconX size={14} color="var(--q-bad)" role="img" aria-label="Failed" />,
  skipped: <IconMinus size={14} color="var(--q-soft)" role="img" aria-label="Skipped" />,
}

function Test({ test, suite }: { test: TestCase; suite: TestSuite }) {
  return (
    <li className={classes.case}>
      {icons[test.state]}
      <span>
        {test.className !== '' && test.className !== suite.name && (
          <span className={classes.count}>{test.className} › </span>
        )}
        {test.name}
      </span>
      <span className={classes.count}>{secondsText(test.seconds)}</span>
      {test.detail !== '' && <pre className={classes.detail}>{test.detail}</pre>}
    </li>
  )
}

const secondsText = (seconds: number): string =>
  seconds >= 60
    ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
    : seconds >= 1
      ? `${seconds.toFixed(1)} s`
      : `${Math.round(seconds * 1000)} ms`
