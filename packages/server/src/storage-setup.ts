import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { Problem } from './lib/problem.ts'

/** Prepares and tests the configured bucket and prints a report. Returns the exit code. */
export async function runStorageSetup({ storage, publicUrl }: Config, log: Logger): Promise<number> {
  if (storage.kind !== 's3')
    throw new Problem(
      'invalid',
      'config.invalid',
      'Files are stored in the data folder, which needs no setup. Set QUAYSIDE_STORAGE=s3 and the QUAYSIDE_S3 settings to use a bucket.',
    )
  const { setUpBucket } = await import('./storage/s3-setup.ts')
  process.stdout.write(`Bucket ${storage.bucket} at ${storage.endpoint ?? `AWS in ${storage.region}`}\n`)
  const passed = await setUpBucket({
    settings: storage,
    origin: new URL(publicUrl).origin,
    log,
    onStep: ({ name, passed: ok, detail }) =>
      process.stdout.write(`  ${ok ? 'ok    ' : 'failed'}  ${name}: ${detail}\n`),
  })
  process.stdout.write(
    passed ? '\nThe bucket is ready.\n' : '\nThe bucket is not ready. Correct the failed steps and run this command again.\n',
  )
  return passed ? 0 : 1
}
