// Adds search and copy buttons to a page of the documentation.

// oxlint-disable typescript/no-unsafe-return -- browsers run this file unchanged, so it has no types

const script = document.currentScript
const search = document.querySelector('.search')
const input = search.querySelector('input')
const list = search.querySelector('ul')
const maxResults = 10
let sections
let selected = -1

search.hidden = false

/** Fetches the search index when it is first needed. If the request fails, the next search repeats it. */
async function loadSections() {
  if (sections === undefined) {
    const response = await fetch(script.dataset.index)
    if (!response.ok) throw new Error(`The search index returned ${response.status}.`)
    sections = (await response.json()).map((section) => ({
      ...section,
      fields: [
        [section.heading.toLowerCase(), 10],
        [section.page.toLowerCase(), 4],
        [section.text.toLowerCase(), 1],
      ],
    }))
  }
  return sections
}

/**
 * Returns the rank of a section, or 0 if it does not contain every term. Matches at the start of a word rank higher.
 */
function rank({ fields }, terms) {
  let total = 0
  for (const term of terms) {
    let best = 0
    for (const [text, weight] of fields) {
      const position = text.indexOf(term)
      if (position === -1) continue
      const startsWord = position === 0 || text.includes(` ${term}`)
      best += startsWord ? weight * 2 : weight
    }
    if (best === 0) return 0
    total += best
  }
  return total
}

function excerpt(text, [term]) {
  const position = Math.max(0, text.toLowerCase().indexOf(term))
  if (text.length <= 120) return text
  const start = position < 50 ? 0 : text.indexOf(' ', position - 40) + 1
  return (start === 0 ? '' : '… ') + text.slice(start, start + 120).replace(/ \S*$/, ' …')
}

/** Appends text to an element and marks the terms in it. */
function appendMarked(element, text, terms) {
  // With the flag `u`, only these characters may be escaped.
  const escaped = terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  const pattern = new RegExp(`(${escaped.join('|')})`, 'iu')
  for (const [index, part] of text.split(pattern).entries()) {
    if (index % 2 === 0) element.append(part)
    else element.append(Object.assign(document.createElement('mark'), { textContent: part }))
  }
}

function showResults(found, terms) {
  selected = -1
  list.replaceChildren(
    ...found.map(({ url, page, heading, text }, index) => {
      const item = document.createElement('li')
      item.id = `result-${index}`
      item.role = 'option'
      const link = Object.assign(document.createElement('a'), { href: url, tabIndex: -1 })
      const title = document.createElement('b')
      appendMarked(title, heading === page ? page : `${page} › ${heading}`, terms)
      const summary = document.createElement('span')
      appendMarked(summary, excerpt(text, terms), terms)
      link.append(title, summary)
      item.append(link)
      return item
    }),
  )
  if (found.length === 0)
    list.append(
      Object.assign(document.createElement('li'), { className: 'none', textContent: 'No results.' }),
    )
  open(true)
}

function open(isOpen) {
  list.hidden = !isOpen
  input.setAttribute('aria-expanded', String(isOpen))
  input.removeAttribute('aria-activedescendant')
}

function select(index) {
  const items = [...list.querySelectorAll('[role=option]')]
  if (items.length === 0) return
  selected = (index + items.length) % items.length
  for (const [position, item] of items.entries())
    item.setAttribute('aria-selected', String(position === selected))
  items[selected].scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', items[selected].id)
}

async function update() {
  const query = input.value.trim().toLowerCase()
  if (query === '') return open(false)
  const terms = query.split(/\s+/)
  const all = await loadSections()
  // The text may have changed while the index was loading.
  if (input.value.trim().toLowerCase() !== query) return
  const found = all
    .map((section) => ({ section, score: rank(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ section }) => section)
  showResults(found, terms)
}

input.addEventListener('input', update)
input.addEventListener('focus', () => void loadSections())
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') select(selected + 1)
  else if (event.key === 'ArrowUp') select(selected - 1)
  else if (event.key === 'Enter') list.querySelectorAll('a')[Math.max(selected, 0)]?.click()
  else if (event.key === 'Escape') {
    input.value = ''
    open(false)
    input.blur()
  } else return
  event.preventDefault()
})
list.addEventListener('click', () => open(false))
document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) open(false)
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select') !== null
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})

// Browsers provide the clipboard only to pages loaded over HTTPS or from localhost.
if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll('pre')) {
    const button = Object.assign(document.createElement('button'), { className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
      button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true })
    })
    const frame = Object.assign(document.createElement('div'), { className: 'code' })
    block.replaceWith(frame)
    frame.append(block, button)
  }
}
