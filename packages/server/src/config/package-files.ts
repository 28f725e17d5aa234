import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether this is the published package, which contains compiled code. In the repository, Node runs the source. */
export const isPublished = import.meta.url.endsWith('.js')

/** The published package contains what it serves and starts in `dist/built`. In the repository, it is where it is written or built. */
const builtFolder = (name: string, repositoryPath: string): string =>
  fileURLToPath(new URL(isPublished ? `../built/${name}` : `../../../../${repositoryPath}`, import.meta.url))

/** The Markdown documents and their pictures. */
export const docsFolder = builtFolder('docs', 'docs')

/** The folder into which scripts/build.ts builds the console. */
export const consoleFolder = builtFolder('console', 'packages/web/dist')

/** The folder into which scripts/build.ts builds the command line. */
export const cliFolder = builtFolder('cli', 'packages/cli/download')

const programFolder = builtFolder('programs', 'packages/server/programs')

/** The program that inspects a file, which scripts/build.ts builds. */
export const inspectionProgram = join(programFolder, 'inspection.mjs')

/** The program that encodes images, which scripts/build.ts builds. */
export const imagesProgram = join(programFolder, 'images.mjs')
