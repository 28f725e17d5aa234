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

const fence = /^ *(`{3,}|~{3,})/

/** Returns the list items of notes. A text without a list is one item. Headings would divide the list of another build. */
function itemsOf(notes: string): string[] {
  const items: string[] = []
  let open: string | undefined
  for (const line of notes.split(/\r?\n/)) {
    const isCode = open !== undefined
    open = fenceAfter(line, open)
    if (!isCode && (line.trim() === '' || heading.test(line))) continue
    const isItem = !isCode && listItem.test(line)
    if (isItem || items.length === 0) items.push(`- ${line.replace(listItem, '').trim()}`)
    else items[items.length - 1] += `\n${`  ${line}`.trimEnd()}`
  }
  return items
}

/** Returns the fence that is open after the line: a code block ends with a fence that is at least as long as its first. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = fence.exec(line.replace(listItem, ''))?.[1]
  if (open === undefined) return mark
  return mark?.startsWith(open) === true && line.trim() === mark ? undefined : open
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`)
