import type { Schema } from './reference-example.ts'

const maxDepth = 6

/** Returns an example of a response as JSON, with every field of the schema. */
export function responseExample(schema: Schema, resolve: (schema: Schema) => Schema): string {
  return JSON.stringify(exampleOf({ name: '', parent: '' }, schema, resolve, 0), null, 2)
}

type Place = { name: string; parent: string }

function exampleOf(
  place: Place,
  schemaOrRef: Schema,
  resolve: (schema: Schema) => Schema,
  depth: number,
): unknown {
  const schema = resolve(schemaOrRef)
  const { examples, const: constant, default: byDefault, enum: values, anyOf, type } = schema
  const known = [examples?.[0], constant, byDefault, values?.[0]].find((value) => value !== undefined)
  if (known !== undefined) return known
  const alternative = anyOf?.find((option) => option.type !== 'null')
  if (alternative !== undefined) return exampleOf(place, alternative, resolve, depth)
  if (depth > maxDepth) return {}
  if (type === 'array')
    return [exampleOf({ ...place, name: singular(place.name) }, schema.items ?? {}, resolve, depth + 1)]
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [
        key,
        exampleOf({ name: key, parent: place.name }, value, resolve, depth + 1),
      ]),
    )
  if (type === 'object' || schema.additionalProperties !== undefined) return {}
  return scalarOf(place, schema)
}

const singular = (name: string): string => name.replace(/s$/, '')

function scalarOf({ name, parent }: Place, { type, minimum }: Schema): unknown {
  const ofParent = byParent[parent]?.[name]
  if (ofParent !== undefined) return ofParent
  if (name in byName) return byName[name]
  if (type === 'integer' || type === 'number')
    return name.endsWith('_bytes') ? 88_290_304 : Math.max(1, minimum ?? 1)
  if (type === 'boolean') return !/^(in_|pending)|error|expired|trashed|hidden/.test(name)
  const ending = byEnding.find(([each]) => name.endsWith(each))
  return ending === undefined ? name.replaceAll('_', ' ') : ending[1]
}

/** The values of fields that every resource has, by the field that contains the resource. */
const byParent: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  platform: { name: 'Android' },
  stream: { name: 'nightlies', description: 'Nightly builds' },
  label: { name: 'qa-passed', description: 'Tested by QA' },
  custom_target: { name: 'Tablet', description: 'Large screens' },
  architecture: { identifier: 'arm64v8', name: 'ARM64v8', description: '64-bit ARM' },
  filetype: { identifier: 'apk', name: 'Android package' },
  metadata_filetype: { identifier: 'txt', name: 'Text' },
  user: { name: 'Ann Lee' },
  actor: { name: 'Ann Lee' },
  application: { name: 'Aurora' },
}

const byName: Readonly<Record<string, unknown>> = {
  id: '3k5m7p9r2t',
  message: 'Done.',
  name: 'Example',
  title: 'Spring release',
  description: 'Builds for testers',
  notes: '- Faster start',
  version: '2.14.0',
  version_short: '2.14.0',
  version_major: 2,
  version_minor: 14,
  version_patch: 0,
  version_semantic_extra: null,
  version_semantic_meta: null,
  version_semantic_major: 2,
  version_semantic_minor: 14,
  version_semantic_patch: 0,
  build_number: '8123',
  build_source: 'cli-upload',
  ci_pipeline_name: 'Nightly',
  ci_run_id: '4521',
  ci_build_duration: '312',
  scm_host: 'github.com',
  scm_host_type: 'github',
  upload_instruction: 'Upload an APK or an app bundle.',
  retention_days: 30,
  identifier: 'android',
  short_name: 'Android',
  filename: 'aurora-2.14.0.apk',
  extension: 'apk',
  email: 'ann@example.com',
  color: '#2f9e6e',
  event: 'build.created',
  url: 'https://builds.example.com/…',
  current_page: 1,
  last_page: 1,
  per_page: 15,
  total: 1,
  from: 1,
  to: 1,
  error: null,
  processing_error: null,
  checksum_error: null,
  scm_branch: 'main',
  scm_repo_name: 'acme/aurora',
  scm_repo_url: 'https://github.com/acme/aurora',
  bundle_id: 'com.acme.aurora',
  package_name: 'com.acme.aurora',
  platform: 'android',
  stream: 'nightlies',
  user_agent: 'curl/8.14.1',
  address: '203.0.113.7',
}

const byEnding: readonly [string, unknown][] = [
  ['_md5', '9e107d9d372bb6826bd81d3542a419d6'],
  ['_sha1', '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12'],
  [
    '_sha512',
    '07e547d9586f6a73f73fbac0435ed76951218fb7d0c8d788a309d785436bbb642e93a252a954f23912547d1e8a3b5ed6e1bfd7097821233fa0538f3db854fee6',
  ],
  ['_sha256', 'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592'],
  ['commit_sha', '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432'],
  ['sha_short', '9f8e7d6'],
  ['size_string', '84.20 MB'],
  ['total_string', '84.20 MB'],
  ['_until', null],
  ['_url', 'https://builds.example.com/…'],
  ['_id', '3k5m7p9r2t'],
]
