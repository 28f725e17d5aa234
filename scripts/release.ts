import { join } from 'node:path'
import { createRelease } from './release/create-release.ts'
import { readOptions } from './release/options.ts'
import { ReleaseError } from './release/release-error.ts'

// npm run release                   build, checksum and sign all artifacts of a release
// npm run release -- --test-key     try it without the key of the project
const root = join(import.meta.dirname, '..')

try {
  await createRelease(root, readOptions(root, process.argv.slice(2), process.env), (line) =>
    console.log(line),
  )
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
