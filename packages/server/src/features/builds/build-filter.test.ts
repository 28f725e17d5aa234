import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { filterRules, matchingOf, noFilter, type FilterRules } from './build-filter.db.ts'
import { selectTotal } from './totals/build-totals.db.ts'

const compiler = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

test('fails type checking if a build filter has no rule', () => {
  // @ts-expect-error a new filter needs a rule, or lists and totals would ignore it
  const incomplete: FilterRules<{ platforms: string[]; isPinned: boolean }> = {
    platforms: filterRules.platforms,
  }
  assert.ok(!('isPinned' in incomplete))
})

test('counts matching builds directly when at least one filter has no stored counts', () => {
  const uncovered = Object.entries(filterRules).flatMap(([name, { kinds }]) => (kinds ? [] : [name]))
  assert.deepEqual(uncovered, ['architectures', 'processing', 'search', 'kept', 'trashed'])
  const others = Object.entries({
    platforms: ['linux'],
    branches: ['main'],
    labelIds: ['a'],
    createdAfter: '2026-03-02T00:00:00Z',
  })
  const filters = [{}, ...others.map(([name, value]) => ({ [name]: value }))]
  for (const filter of filters) {
    const total = selectTotal(matchingOf('application', { ...noFilter, ...filter, architectures: ['x64'] }))
    const { sql: text } = total.compile(compiler)
    assert.match(text, /from builds/)
    assert.doesNotMatch(text, /build_counts|build_changes/)
  }
})

test('searches only the file names of the application', () => {
  for (const search of ['a', 'app', 'app-1'])
    for (const trashed of [undefined, true] as const) {
      const matching = matchingOf('application', { ...noFilter, search, trashed })
      const { sql: text } = selectTotal(matching).compile(compiler)
      const condition = `found\\.application_id = \\$\\d+\\s+and found\\.deleted_at is ${trashed === true ? 'not ' : ''}null`
      assert.match(text, new RegExp(`join files on files\\.build_id = found\\.id\\s+where ${condition} and`))
    }
})
