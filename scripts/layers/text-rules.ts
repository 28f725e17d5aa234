import type { Finding } from './check-layers.ts'
import { isTest } from './import-rules.ts'
import type { Source } from './source.ts'

const consoleSources = 'packages/web/src/'
const texts = `${consoleSources}text/`
// Examples that only developers see.
const examples = `${consoleSources}dev/`

/** Returns the sentences of the console outside `text/`. Messages of errors are excepted, because programs read them. */
export function textFindings({ path, literals }: Source): Finding[] {
  if (!path.startsWith(consoleSources) || path.startsWith(texts) || path.startsWith(examples) || isTest(path))
    return []
  return literals
    .filter(({ kind, text }) => kind !== 'error' && isSentence(text))
    .map(({ line, text }) => ({
      path,
      line,
      message: `"${text.trim().replaceAll(/\s+/g, ' ')}" is a sentence: move it to ${texts}`,
    }))
}

/** Returns whether a text has at least two words, of which a value can be one, and ends like a sentence. */
function isSentence(text: string): boolean {
  const hasWord = /\p{L}{2}/u.test(text.replaceAll('${}', ''))
  return hasWord && /\S\s[^]*[\p{L}\p{N})}”"][.?!]["”)]?$/u.test(text.trim())
}
