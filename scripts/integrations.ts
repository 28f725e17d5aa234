import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The integrations that start the command line with Node. Each contains the launcher, because it is copied alone. */
const folders = [
  'azure-pipelines/QuaysideUpload',
  'bitbucket-pipe',
  'github-action',
  'gradle',
  'npm',
  'unity/Editor',
  'unreal',
]

/** Returns the copies of the launcher, by their paths in the repository. */
export function launcherCopies(root: string): Map<string, string> {
  const launcher = readFileSync(join(root, 'integrations/launcher/upload.mjs'), 'utf8')
  const text = `// Generated from integrations/launcher/upload.mjs by \`npm run generate\`. Do not edit.\n//\n${launcher}`
  return new Map(folders.map((folder) => [`integrations/${folder}/upload.mjs`, text]))
}
