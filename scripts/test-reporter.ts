import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { spec, type TestEvent } from 'node:test/reporters'

const shownFiles = 10

/** Reports as `spec` does, and names the files whose tests took longest before the totals. */
async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(withSlowestFiles(events)).pipe(new spec())
}

async function* withSlowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const milliseconds = new Map<string, number>()
  let areTotalsNext = true
  for await (const event of events) {
    if ((event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0) {
      const { name, details } = event.data
      // The files of a group are suites with their names.
      const file = name.endsWith('.test.ts') ? name : (event.data.file ?? '')
      milliseconds.set(file, (milliseconds.get(file) ?? 0) + details.duration_ms)
    }
    if (areTotalsNext && event.type === 'test:diagnostic' && /^tests \d+$/.test(event.data.message)) {
      areTotalsNext = false
      for (const message of describeSlowest(milliseconds))
        yield { ...event, data: { ...event.data, message } }
    }
    yield event
  }
}

function describeSlowest(milliseconds: Map<string, number>): string[] {
  if (milliseconds.size === 1) return []
  const slowest = [...milliseconds].toSorted(([, first], [, second]) => second - first).slice(0, shownFiles)
  const lines = slowest.map(
    ([file, duration]) => `${(duration / 1000).toFixed(0).padStart(4)} s  ${relative(process.cwd(), file)}`,
  )
  return ['slowest files:', ...lines]
}

// oxlint-disable-next-line import/no-default-export -- the runner takes the default export
export { report as default }
