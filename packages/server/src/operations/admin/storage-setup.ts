import { problem } from '../../lib/problem.ts'
import { adminCommand } from './command.ts'

export const storageSetup = adminCommand({
  name: 'storage-setup',
  summary: 'create the S3 bucket if it is missing, allow the console to use it, and test it',
  description: `Create the S3 bucket if it is missing, allow browsers at the origin of QUAYSIDE_PUBLIC_URL to use it (CORS), and test
uploads, downloads, lists and deletions. The report says what to correct. The command can be repeated at any time.`,
  parameters: [],
  options: {},
  examples: ['QUAYSIDE_STORAGE=s3 QUAYSIDE_S3_BUCKET=builds quayside-server admin storage-setup'],
  async run({ config: { storage, publicUrl }, terminal, log }) {
    if (storage.kind !== 's3') throw noBucket()
    // The client of AWS takes long to load, and the other commands do not need it.
    const { setUpBucket } = await import('../../storage/s3/s3-setup.ts')
    terminal.print(`Bucket ${storage.bucket} at ${storage.endpoint ?? `AWS in ${storage.region}`}`)
    const passed = await setUpBucket({
      settings: storage,
      origin: new URL(publicUrl).origin,
      log,
      onStep: ({ name, passed: ok, detail }) =>
        terminal.print(`  ${ok ? 'ok    ' : 'failed'}  ${name}: ${detail}`),
    })
    terminal.print('')
    terminal.print(
      passed
        ? 'The bucket is ready.'
        : 'The bucket is not ready. Correct the failed steps and run this command again.',
    )
    return passed ? 0 : 1
  },
})

const noBucket = problem(
  'invalid',
  'config.invalid',
  'Files are stored in the data folder, which needs no setup. Set QUAYSIDE_STORAGE=s3 and the QUAYSIDE_S3 settings to use a bucket.',
)
