import type { Env } from './ci-metadata.ts'

/**
 * Returns the line that shows a failure on the summary page of the CI run, or undefined if the CI system has no such
 * lines.
 */
export function failureAnnotation(env: Env, message: string): string | undefined {
  if (env['GITHUB_ACTIONS'] === 'true') return `::error title=quayside::${escape(message, ['%', '\r', '\n'])}`
  // Azure Pipelines unescapes %AZP25 instead of %25.
  if (env['TF_BUILD'] === 'True')
    return `##vso[task.logissue type=error]${escape(message.replaceAll('%', '%AZP25'), ['\r', '\n'])}`
  return undefined
}

const escape = (text: string, characters: string[]): string =>
  characters.reduce(
    (escaped, character) => escaped.replaceAll(character, encodeURIComponent(character)),
    text,
  )
