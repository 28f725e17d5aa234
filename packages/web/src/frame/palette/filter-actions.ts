import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'

type Group = SpotlightActionGroupData
type Scored = { action: SpotlightActionData; score: number }

/**
 * Returns the actions that match every word of the text, starting with the group and the action that match best. If
 * nothing matches, allows for typos.
 */
export function filterActions(text: string, groups: readonly Group[]): Group[] {
  const words = wordsOf(text)
  if (words.length === 0) return groups.filter(({ actions }) => actions.length > 0)
  const exact = rank(groups, words, scoreOfWord)
  return exact.length > 0 ? exact : rank(groups, words, scoreOfTypo)
}

type Score = (word: string, action: SpotlightActionData) => number

function rank(groups: readonly Group[], words: readonly string[], scoreOf: Score): Group[] {
  return groups
    .map(({ group, actions }) => {
      const scored = actions
        .map((action): Scored => {
          const scores = words.map((word) => scoreOf(word, action))
          return { action, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) }
        })
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
      return { group, actions: scored.map(({ action }) => action), score: scored[0]?.score ?? 0 }
    })
    .filter(({ actions }) => actions.length > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ group, actions }) => ({ group, actions }))
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s·:,()]+/)
    .filter((word) => word !== '')

const keywordsOf = ({ keywords = '', description = '' }: SpotlightActionData): string =>
  [keywords, description].flat().join(' ').toLowerCase()

function scoreOfWord(word: string, action: SpotlightActionData): number {
  const label = action.label?.toLowerCase() ?? ''
  if (label.startsWith(word)) return 4
  if (wordsOf(label).some((part) => part.startsWith(word))) return 3
  if (label.includes(word)) return 2
  return keywordsOf(action).includes(word) ? 1 : 0
}

const shortestWithTypo = 4
const shortestWithTypos = 8

function scoreOfTypo(word: string, action: SpotlightActionData): number {
  if (scoreOfWord(word, action) > 0) return 2
  if (word.length < shortestWithTypo) return 0
  const allowed = word.length < shortestWithTypos ? 1 : 2
  const candidates = wordsOf(`${action.label ?? ''} ${keywordsOf(action)}`)
  return candidates.some((candidate) => typosIn(word, candidate) <= allowed) ? 1 : 0
}

/**
 * Returns how many letters must be inserted, deleted, replaced or swapped with the next one to turn the word into the
 * start of the candidate (the optimal string alignment distance to its closest prefix).
 */
export function typosIn(word: string, candidate: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: candidate.length + 1 }, (_, column) => column)
  for (let row = 1; row <= word.length; row++) {
    const current = [row]
    for (let column = 1; column <= candidate.length; column++) {
      const isSame = word[row - 1] === candidate[column - 1]
      const isSwapped =
        row > 1 &&
        column > 1 &&
        word[row - 1] === candidate[column - 2] &&
        word[row - 2] === candidate[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return Math.min(...last)
}
