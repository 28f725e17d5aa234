import { join } from 'node:path'
import { readPublishOptions } from './release/publish/options.ts'
import { publishRelease } from './release/publish/publish-release.ts'
import { ReleaseError } from './release/release-error.ts'

// npm run release:publish                       upload the folder of a release and publish it on a Quayside server
// npm run release:publish -- --stream beta      upload it and promote it to a stream
const root = join(import.meta.dirname, '..')

try {
  await publishRelease(root, readPublishOptions(root, process.argv.slice(2), process.env), (line) =>
    console.log(line),
  )
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
