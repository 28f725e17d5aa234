import type { CustomStoreInput } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { firstNonEmpty } from '../../../ci/ci-metadata.ts'
import type { CommandContext } from '../../../command-context.ts'
import { Failure } from '../../../failure.ts'
import { askLine, readStandardInput } from '../../../standard-input.ts'

export type StoreOptions = {
  endpoint?: string
  region?: string
  bucket?: string
  prefix?: string
  pathStyle?: boolean
  acl?: NonNullable<CustomStoreInput['acl']>
  accessKeyId?: string
  secretStdin?: boolean
}

const acls = Object.keys({
  private: true,
  'bucket-owner-full-control': true,
  none: true,
} satisfies Record<NonNullable<CustomStoreInput['acl']>, true>)

/** Adds the options that describe a bucket. */
export function withStoreOptions(command: Command): Command {
  return command
    .option('--bucket <name>', 'name of the bucket')
    .option('--endpoint <url>', 'URL of the S3 API (default: AWS)')
    .option('--region <region>', 'region of the bucket (required for AWS)')
    .option('--prefix <path>', 'path in the bucket below which the files are stored')
    .option('--path-style', 'put the bucket in the path of URLs (default with --endpoint)')
    .option('--no-path-style', 'put the bucket in the host name of URLs (default for AWS)')
    .addOption(new Option('--acl <acl>', 'canned ACL for uploads').choices(acls))
    .option('--access-key-id <id>', 'access key; omit both keys to keep the saved ones')
    .option(
      '--secret-stdin',
      'read the secret key from standard input (default: $QUAYSIDE_STORE_SECRET_KEY, or prompt for it)',
    )
}

type DescribedStore = StoreOptions & { bucket: string }

/** Returns whether the options describe a bucket. Throws if they are incomplete. */
export function describesStore(options: StoreOptions): options is DescribedStore {
  const { bucket, endpoint, region, prefix, pathStyle, acl, accessKeyId, secretStdin } = options
  if (secretStdin === true && accessKeyId === undefined)
    throw new Failure('usage', '--secret-stdin requires --access-key-id.')
  const others = [endpoint, region, prefix, pathStyle, acl, accessKeyId]
  if (bucket === undefined && others.some((value) => value !== undefined)) throw bucketRequired()
  return bucket !== undefined
}

export const bucketRequired = (): Failure => new Failure('usage', 'A bucket is required. Add --bucket.')

/** Returns the input that the options describe. Reads the secret key if there is an access key. */
export async function storeInput(
  context: CommandContext,
  options: DescribedStore,
): Promise<CustomStoreInput> {
  const { bucket, endpoint, region, prefix, pathStyle, acl, accessKeyId } = options
  return {
    bucket,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(pathStyle === undefined ? {} : { force_path_style: pathStyle }),
    ...(acl === undefined ? {} : { acl }),
    ...(accessKeyId === undefined
      ? {}
      : { access_key_id: accessKeyId, secret_access_key: await readSecretKey(context, options) }),
  }
}

async function readSecretKey(context: CommandContext, { secretStdin }: StoreOptions): Promise<string> {
  const known = firstNonEmpty(context.runtime.env['QUAYSIDE_STORE_SECRET_KEY']?.trim())
  if (secretStdin !== true && known !== undefined) return known
  const isPrompting = secretStdin !== true && context.runtime.stdin.isTTY === true
  const secret = isPrompting
    ? await askLine(context, 'Secret key: ', { isSecret: true })
    : await readStandardInput(context, '--secret-stdin')
  if (secret.trim() !== '') return secret.trim()
  throw new Failure(
    'usage',
    'Standard input contains no secret key. Pipe or redirect it to the command, or set QUAYSIDE_STORE_SECRET_KEY.',
  )
}
