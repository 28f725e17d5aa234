import type { ApplicationStores, CustomStore, CustomStoreReport } from '@quayside/sdk'
import { formatFields } from '../../../output/format.ts'

/** Formats the stores of an application as lists of fields. */
export function formatStores({ enabled, store, previous_stores }: ApplicationStores): string {
  if (store === null && previous_stores.length === 0)
    return 'New uploads go to the storage of the service. No custom store is set.'
  const current =
    store === null
      ? 'New uploads go to the storage of the service.'
      : formatFields([['New uploads', enabled ? 'stored here' : 'stored in the service'], ...fieldsOf(store)])
  const previous = previous_stores.map((other) => `Previous store:\n${formatFields(fieldsOf(other))}`)
  return [current, ...previous].join('\n\n')
}

const fieldsOf = (store: CustomStore): [string, string][] => [
  ['Endpoint', store.endpoint ?? 'AWS'],
  ['Region', store.region],
  ['Bucket', store.bucket],
  ['Prefix', store.prefix],
  ['Path style', store.force_path_style ? 'yes' : 'no'],
  ['ACL', store.acl],
  ['Files', `${store.object_count} (${store.total_string})`],
  ['Tested', store.tested_at],
]

const marks = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' }

/** Formats the steps of a test, each with what to do if it failed. */
export function formatReport({ steps, passed }: CustomStoreReport): string {
  const lines = steps.flatMap(({ name, state, detail, advice }) => [
    `${marks[state].padEnd(7)}  ${name.padEnd(12)}  ${detail}`,
    ...(advice === null ? [] : [`${' '.repeat(23)}${advice}`]),
  ])
  return [...lines, passed ? 'All steps passed.' : 'The test failed.'].join('\n')
}
