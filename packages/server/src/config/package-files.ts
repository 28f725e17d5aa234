import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether this is the published package, which lacks the source. The URL of a module in the bundle is that of its source. */
export const isPublished = !existsSync(fileURLToPath(import.meta.url))

/** The published package contains what it serves and starts in `built`. In the repository, it is where it is written or built. */
const builtFolder = (name: string, repositoryPath: string): string =>
  fileURLToPath(
    new URL(isPublished ? `../../built/${name}` : `../../../../${repositoryPath}`, import.meta.url),
  )

/** The Markdown documents and their pictures. */
export const docsFolder = builtFolder('docs', 'docs')

/** The folder into which scripts/build.ts builds the console. */
export const consoleFolder = builtFolder('console', 'packages/web/dist')

/** The folder into which scripts/build.ts builds the command line. */
export const cliFolder = builtFolder('cli', 'packages/cli/download')

const programFolder = builtFolder('programs', 'packages/server/programs')

/** The program that inspects a file, which scripts/build.ts builds. */
export const inspectionProgram = join(programFolder, 'inspection.mjs')

/** The program that computes chunk indexes, which scripts/build.ts builds. */
export const chunkIndexProgram = join(programFolder, 'chunk-index.mjs')

/** The program that compares two files, which scripts/build.ts builds. */
export const comparisonProgram = join(programFolder, 'comparison.mjs')

/** The program that creates patches, which scripts/build.ts builds. */
export const patchingProgram = join(programFolder, 'patching.mjs')

/** The program that encodes images, which scripts/build.ts builds. */
export const imagesProgram = join(programFolder, 'images.mjs')
