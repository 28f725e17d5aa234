/** The API accepts notes of this length. */
const maxLength = 20_000
const rest = '\n\nThe file `RELEASE_NOTES.md` contains the remaining notes.'
/** The first lines of blocks: list items, headings, quotes, tables and code. */
const blockStart = /^ *([-*+] |\d+\. |#+ |> |\||```)/

/** Returns the notes for the download page, which already shows the name and the version. */
export function notesForPage(notes: string): string {
  const text = joinLines(notes.replace(/^# .*\n+/, '').trim())
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength - rest.length)
  // The last entry may be incomplete.
  const end = Math.max(start.lastIndexOf('\n- '), start.lastIndexOf('\n\n'))
  return start.slice(0, end === -1 ? undefined : end).replace(/(\n+#+ .*)+\s*$/, '') + rest
}

/** Joins the lines of each paragraph and list item, because pages for visitors show line breaks. */
function joinLines(text: string): string {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    const previous = lines.at(-1) ?? ''
    const isJoined =
      !isCode && line !== '' && previous !== '' && !blockStart.test(line) && !/^ *(#|```)/.test(previous)
    if (isJoined) lines[lines.length - 1] = `${previous} ${line.trim()}`
    else lines.push(line)
    if (/^ *```/.test(line)) isCode = !isCode
  }
  return lines.join('\n')
}
