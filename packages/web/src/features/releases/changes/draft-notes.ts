import type { Build } from '@quayside/sdk'

/** Returns the notes of builds as a Markdown list, with a heading for each label if builds have labels. */
export function draftNotes(builds: readonly Build[], otherTitle: string): string {
  const sections = new Map<string, string[]>()
  for (const { notes, labels } of builds) {
    const items = itemsOf(notes ?? '')
    if (items.length === 0) continue
    const section = labels.map(({ name }) => name).toSorted()[0] ?? ''
    const earlier = sections.get(section) ?? []
    sections.set(section, [...earlier, ...items.filter((item) => !earlier.includes(item))])
  }
  const names = [...sections.keys()].filter((name) => name !== '').toSorted()
  const listOf = (name: string) => (sections.get(name) ?? []).join('\n')
  if (names.length === 0) return listOf('')
  const titled = names.map((name) => `## ${escapeMarkdown(name)}\n\n${listOf(name)}`)
  return [...titled, ...(sections.has('') ? [`## ${otherTitle}\n\n${listOf('')}`] : [])].join('\n\n')
}

const listItem = /^[-*+] +/
const heading = /^#{1,6} /

/** Returns the list items of notes. A text without a list is one item. Headings would divide the list of another build. */
function itemsOf(notes: string): string[] {
  const lines = notes.split(/\r?\n/).filter((line) => line.trim() !== '' && !heading.test(line))
  const items: string[] = []
  for (const line of lines) {
    const isItem = listItem.test(line)
    if (isItem || items.length === 0) items.push(`- ${line.replace(listItem, '').trim()}`)
    else items[items.length - 1] += `\n  ${line.trimEnd()}`
  }
  return items
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`)
