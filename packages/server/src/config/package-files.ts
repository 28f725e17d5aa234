import { fileURLToPath } from 'node:url'

/** Whether this is the published package, which contains compiled code. In the repository, Node runs the source. */
export const isPublished = import.meta.url.endsWith('.js')

/** The published package contains what it serves in `dist/site-files`. In the repository, it is where it is written or built. */
const siteFolder = (name: string, repositoryPath: string): string =>
  fileURLToPath(
    new URL(isPublished ? `../site-files/${name}` : `../../../../${repositoryPath}`, import.meta.url),
  )

/** The Markdown documents and their pictures. */
export const docsFolder = siteFolder('docs', 'docs')

/** The folder into which scripts/build.ts builds the console. */
export const consoleFolder = siteFolder('console', 'packages/web/dist')

/** The folder into which scripts/build.ts builds the command line. */
export const cliFolder = siteFolder('cli', 'packages/cli/download')

/** Returns the path of the program that a process runs: a TypeScript file of this package, or what it is compiled to. */
export const programPath = (source: URL): string => {
  const path = fileURLToPath(source)
  return isPublished ? path.replace(/\.ts$/, '.js') : path
}
