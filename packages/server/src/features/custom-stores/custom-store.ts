import { Type, type Static } from 'typebox'
import type { Executor } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { invalid, type FieldErrors } from '../../http/endpoint/validation.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import { sizeString } from '../../lib/sizes.ts'
import {
  findStoreAt,
  listStoreContents,
  listStoresOfApplication,
  type CustomStoreRow,
  type findCurrentStore,
} from '../../storage/custom/custom-store.db.ts'
import type { StoreCredentials, StoreSettings } from '../../storage/custom/custom-stores.ts'
import { storeStepNames, type StoreReport, type StoreStepName } from '../../storage/custom/store-report.ts'

const acls = ['private', 'bucket-owner-full-control', 'none'] as const

const fields = {
  endpoint: Nullable(
    Type.String({
      maxLength: 500,
      description:
        'URL of the S3 API without a path, such as `https://s3.example.com`; `null` for AWS, whose endpoint follows from the region.',
    }),
  ),
  region: Type.String({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9][A-Za-z0-9-]*$' }),
  bucket: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$' }),
  prefix: Type.String({
    maxLength: 200,
    pattern: '^([\\w~-][\\w.~-]*(/[\\w~-][\\w.~-]*)*)?$',
    description: 'Path in the bucket below which all files are stored; may be empty.',
  }),
  force_path_style: Type.Boolean({
    description: 'Whether URLs contain the bucket in the path instead of the host name.',
  }),
  acl: Type.Enum([...acls], { description: 'Canned ACL for uploads.' }),
}

const credentials = {
  access_key_id: Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' }),
  secret_access_key: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Stored encrypted. No response contains it.',
  }),
}

export const StoreInput = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    access_key_id: Type.Optional(credentials.access_key_id),
    secret_access_key: Type.Optional(credentials.secret_access_key),
    bucket: fields.bucket,
  },
  {
    title: 'CustomStoreInput',
    examples: [
      {
        endpoint: 'https://s3.example.com',
        region: 'eu-central-1',
        bucket: 'builds',
        prefix: 'aurora',
        access_key_id: 'AKIAEXAMPLE',
        secret_access_key: 'the-secret-key',
      },
    ],
  },
)

/** The fields of a test. Without a bucket, the saved store is tested. */
export const StoreTestInput = Type.Partial(StoreInput, { title: 'CustomStoreTestInput', examples: [{}] })

const contents = {
  object_count: Type.Integer({ description: 'Number of files of the application in the store.' }),
  total_bytes: Type.Integer(),
  total_string: Type.String(),
}

const Store = Type.Object(
  {
    id: Type.String(),
    is_current: Type.Boolean({ description: 'Whether new uploads go to this store while it is enabled.' }),
    ...fields,
    ...contents,
    tested_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'CustomStore' },
)

export const ApplicationStores = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether new uploads go to the current store.' }),
    store: Nullable(Store),
    previous_stores: Type.Array(Store, {
      description: 'Stores that contain files of the application but receive no new uploads.',
    }),
  },
  { title: 'ApplicationStores' },
)

export const Report = Type.Object(
  {
    passed: Type.Boolean(),
    steps: Type.Array(
      Type.Object({
        name: Type.Enum([...storeStepNames], { description: 'What the step tests.' }),
        state: Type.Enum(['passed', 'failed', 'skipped']),
        detail: Type.String({ description: 'What happened.' }),
        advice: Nullable(Type.String({ description: 'What to do if the step failed.' })),
      }),
    ),
  },
  { title: 'CustomStoreReport' },
)

type Row = CustomStoreRow
type CurrentStore = NonNullable<Awaited<ReturnType<typeof findCurrentStore>>>

const shapeOf = ({ prefix, acl, endpoint, region, bucket, force_path_style }: Row) => ({
  endpoint,
  region,
  bucket,
  prefix: prefix.replace(/\/$/, ''),
  force_path_style,
  acl: (acl ?? 'none') as (typeof acls)[number],
})

/** Returns the stores of an application, without those that are empty and not in use. */
export async function applicationStores(
  db: Executor,
  application: { id: string; custom_store_enabled: boolean },
): Promise<Static<typeof ApplicationStores>> {
  const rows = await listStoresOfApplication(db, application.id)
  const found = await listStoreContents(
    db,
    rows.map(({ id }) => id),
  )
  const stores = rows.map((row) => {
    const { objects = 0, bytes = 0 } = found.get(row.id) ?? {}
    return {
      id: row.id,
      is_current: row.is_current,
      ...shapeOf(row),
      object_count: objects,
      total_bytes: bytes,
      total_string: sizeString(bytes),
      tested_at: row.tested_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
  const store = stores.find(({ is_current }) => is_current) ?? null
  return {
    enabled: application.custom_store_enabled && store !== null,
    store,
    previous_stores: stores.filter(({ is_current, object_count }) => !is_current && object_count > 0),
  }
}

/** Returns the input that describes a saved store without its keys. */
export const inputOf = (row: Row): Input => shapeOf(row)

/** Returns the attributes of a store that the audit log records. They never include credentials. */
export const storeAuditSnapshot = (row: Row, enabled: boolean) => ({ ...shapeOf(row), enabled })

type Input = Static<typeof StoreTestInput>

/** Returns the settings of a request. Omitted credentials are those of the saved store at the same endpoint. */
export function settingsFrom(
  input: Input,
  saved: CurrentStore | undefined,
  { customStores }: Pick<Deps, 'customStores'>,
): StoreSettings {
  const errors: FieldErrors = {}
  const endpoint = readEndpoint(input.endpoint ?? null, errors)
  if (endpoint === null && input.region === undefined) errors['region'] = ['is required without `endpoint`.']
  const isSameEndpoint = saved !== undefined && saved.endpoint === endpoint
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = input
  let known: StoreCredentials | undefined
  if (accessKeyId !== undefined && secretAccessKey !== undefined) known = { accessKeyId, secretAccessKey }
  else if (accessKeyId !== undefined || secretAccessKey !== undefined)
    errors[accessKeyId === undefined ? 'access_key_id' : 'secret_access_key'] = [
      'must be set together with the other key.',
    ]
  else if (isSameEndpoint) known = customStores.openCredentials(saved.id, saved.credentials_encrypted)
  else
    for (const field of ['access_key_id', 'secret_access_key'])
      errors[field] = ['is required for a new endpoint.']
  if (Object.keys(errors).length > 0 || known === undefined)
    throw invalid(errors, 'The request body is invalid.')
  // AWS disables ACLs in new buckets and then accepts no other ACL than this one.
  const acl = input.acl ?? (endpoint === null ? 'bucket-owner-full-control' : 'private')
  const prefix = input.prefix ?? ''
  return {
    endpoint,
    region: input.region ?? 'us-east-1',
    bucket: input.bucket ?? '',
    prefix: prefix === '' ? '' : `${prefix}/`,
    forcePathStyle: input.force_path_style ?? endpoint !== null,
    acl: acl === 'none' ? null : acl,
    credentials: known,
  }
}

function readEndpoint(value: string | null, errors: FieldErrors): string | null {
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  if (!isPlain) errors['endpoint'] = ['must be a URL without a path, such as `https://s3.example.com`.']
  return url?.origin ?? null
}

/** Returns the ID of the application's store at this location, if there is one. Throws if another application uses it. */
export async function findOwnStoreId(
  db: Executor,
  applicationId: string,
  settings: StoreSettings,
): Promise<string | undefined> {
  const existing = await findStoreAt(db, settings)
  if (existing === undefined || existing.application_id === applicationId) return existing?.id
  throw locationUsed()
}

export const locationUsed = (): Problem =>
  invalid(
    { prefix: ['is already used in this bucket by another application.'] },
    'The request body is invalid.',
  )

const fieldOfStep: Record<StoreStepName, string> = {
  reach: 'endpoint',
  clock: 'endpoint',
  authenticate: 'access_key_id',
  ownership: 'prefix',
  write: 'bucket',
  read: 'bucket',
  multipart: 'bucket',
  list: 'bucket',
  delete: 'bucket',
  cors: 'bucket',
}

/** Throws if the store failed its test. */
export function requirePassed({ steps, passed }: StoreReport): void {
  if (passed) return
  const errors: FieldErrors = {}
  const failed = steps.filter(({ state }) => state === 'failed')
  for (const { name, detail, advice } of failed)
    (errors[fieldOfStep[name]] ??= []).push(`${detail} ${advice ?? ''}`.trim())
  const [first] = failed
  const { detail = '', advice = '' } = first ?? {}
  throw testFailed({ reason: `${detail} ${advice}`.trim() }, { errors })
}

export const testFailed = problem(
  'invalid',
  'custom_store.test_failed',
  'The store was not saved, because its test failed. {reason}',
)
