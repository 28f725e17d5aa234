// Adds search, tabs, copy buttons and the values of the reader to the API reference.

// oxlint-disable typescript/no-unsafe-return -- browsers run this file unchanged, so it has no types

const api = new URL('.', document.currentScript.src).href.replace(/\/$/, '')
const storageKey = 'quayside.reference'
const maxResults = 12
const inputs = [
  ['server', 'Server'],
  ['key', 'API key'],
  ['application_id', 'Application ID'],
  ['build_id', 'Build ID'],
  ['release_id', 'Release ID'],
]

// The color scheme is set before the first paint. The console stores it under this name.
const scheme = read(localStorage, 'mantine-color-scheme-value')
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.colorScheme = scheme

/** Returns a stored value; undefined if there is none or storage is disabled. */
function read(storage, name) {
  try {
    return storage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

const create = (tag, properties = {}) => Object.assign(document.createElement(tag), properties)

function storedValues() {
  try {
    return JSON.parse(read(sessionStorage, storageKey) ?? '{}')
  } catch {
    return {}
  }
}

const typed = storedValues()
let found = { server: api.replace(/\/api\/v1$/, '') }

/** Returns the value for a variable of an example; undefined if it is not known. */
function valueOf(name) {
  const values = { ...found, ...typed }
  return name === 'api' ? `${values.server}/api/v1` : values[name]
}

/** Shows only the start of a key, because other people may see the screen. */
const masked = (key) => `${key.slice(0, 8)}••••`

function fillExamples() {
  for (const element of document.querySelectorAll('var[data-name]')) {
    element.dataset.placeholder ??= element.textContent
    const value = valueOf(element.dataset.name)
    const shown = value !== undefined && element.dataset.name === 'key' ? masked(value) : value
    element.textContent = shown ?? element.dataset.placeholder
  }
}

/** Returns the text of an example with the whole key. */
function textToCopy(block) {
  const copy = block.cloneNode(true)
  for (const element of copy.querySelectorAll('var[data-name=key]'))
    element.textContent = valueOf('key') ?? element.dataset.placeholder
  return copy.textContent
}

function changeValue(name, value) {
  if (value === '') delete typed[name]
  else typed[name] = value
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(typed))
  } catch {
    // Storage is disabled, so the values apply until the page is closed.
  }
  fillExamples()
}

function addForm() {
  const form = document.querySelector('.values')
  form.append(
    create('h2', { textContent: 'Your values' }),
    ...inputs.map(([name, text]) => {
      const label = create('label', { textContent: text })
      const input = create('input', {
        name,
        type: name === 'key' ? 'password' : 'text',
        value: typed[name] ?? '',
        placeholder: found[name] ?? '',
        autocomplete: 'off',
        spellcheck: false,
      })
      input.addEventListener('input', () => changeValue(name, input.value.trim()))
      label.append(input)
      return label
    }),
    create('p', {
      textContent:
        'The examples show these values. They stay in this browser tab; the key is never sent anywhere.',
    }),
  )
  form.hidden = false
}

/** Returns the data of a response; undefined if the request fails, as it does without a session. */
async function get(path) {
  const response = await fetch(`${api}/${path}`).catch(() => undefined)
  return response?.ok === true ? (await response.json()).data : undefined
}

/** Fills the examples with an application of the signed-in user and its most recent build and release. */
async function findValues() {
  const session = await get('session')
  if (session === undefined) return
  const [application] = (await get('applications?per_page=1')) ?? []
  if (application === undefined) return
  const path = `applications/${application.id}`
  const [builds = [], releases = []] = await Promise.all([
    get(`${path}/builds?per_page=1&sort_by=created_at&sort=desc`),
    get(`${path}/releases?per_page=1`),
  ])
  found = {
    ...found,
    application_id: application.id,
    build_id: builds[0]?.id,
    release_id: releases[0]?.id,
  }
  for (const input of document.querySelectorAll('.values input')) input.placeholder = found[input.name] ?? ''
  document.querySelector('.values p').before(
    create('p', {
      textContent: `Signed in as ${session.user.name}. The IDs are those of ${application.name}.`,
    }),
  )
  fillExamples()
}

function addCopyButton(bar, findBlock) {
  // Browsers provide the clipboard only to pages loaded over HTTPS or from localhost.
  if (navigator.clipboard === undefined) return
  const button = create('button', { className: 'copy', type: 'button', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(textToCopy(findBlock()))
    button.textContent = 'Copied'
    button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true })
  })
  bar.append(button)
}

function addTabs() {
  const radios = [...document.querySelectorAll('[name=language]')]
  for (const example of document.querySelectorAll('.example')) {
    const bar = create('div', { className: 'tabs' })
    for (const radio of radios) {
      const text = radio.nextElementSibling.textContent
      const button = create('button', { type: 'button', value: radio.value, textContent: text })
      button.addEventListener('click', () => selectLanguage(radio.value))
      bar.append(button)
    }
    const blocks = [...example.querySelectorAll(':scope > pre')]
    addCopyButton(bar, () => blocks.find((block) => block.offsetParent !== null))
    blocks[0].before(bar)
  }
  for (const block of document.querySelectorAll('.guide pre')) {
    const bar = create('div', { className: 'tabs' })
    addCopyButton(bar, () => block)
    block.before(bar)
  }
  for (const radio of radios) radio.addEventListener('change', () => selectLanguage(radio.value))
  selectLanguage(typed.language ?? 'curl')
}

function selectLanguage(language) {
  document.querySelector(`#language-${language}`).checked = true
  for (const button of document.querySelectorAll('.tabs [value]'))
    button.setAttribute('aria-pressed', String(button.value === language))
  if (typed.language !== language) changeValue('language', language)
}

/** Returns the operations, schemas and fields that search can find. */
function readIndex() {
  const index = []
  for (const article of document.querySelectorAll('article[id]')) {
    const title = article.querySelector('h3').firstChild.textContent
    const path = article.querySelector('.request')?.textContent ?? 'schema'
    index.push({ id: article.id, title, detail: path, text: `${title} ${path} ${article.id}`.toLowerCase() })
    for (const field of article.querySelectorAll('li[id]')) {
      if (field.closest('details') !== null) continue
      const name = field.id.split('.').slice(1).join('.')
      const detail = `${title} · ${field.querySelector('p')?.textContent ?? ''}`
      index.push({ id: field.id, title: name, detail, text: `${name} ${title}`.toLowerCase(), isField: true })
    }
  }
  return index
}

function createResult({ id, title, detail }, number, onOpen) {
  const item = create('li', { id: `result-${number}`, role: 'option', textContent: title })
  item.append(create('span', { textContent: detail.slice(0, 120) }))
  item.addEventListener('click', () => {
    onOpen()
    location.hash = id
  })
  return item
}

function addSearch() {
  const search = document.querySelector('.search')
  const input = search.querySelector('input')
  const list = search.querySelector('ul')
  let index
  let selected = 0

  const open = (isOpen) => {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) input.removeAttribute('aria-activedescendant')
  }
  const select = (position) => {
    const items = [...list.querySelectorAll('[role=option]')]
    if (items.length === 0) return
    selected = (position + items.length) % items.length
    for (const [number, item] of items.entries())
      item.setAttribute('aria-selected', String(number === selected))
    items[selected].scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', items[selected].id)
  }
  const update = () => {
    const terms = input.value.trim().toLowerCase().split(/\s+/)
    if (terms[0] === '') return open(false)
    index ??= readIndex()
    const rank = ({ title, isField = false }) =>
      (title.toLowerCase().includes(terms[0]) ? 2 : 0) + (isField ? 0 : 1)
    const results = index
      .filter(({ text }) => terms.every((term) => text.includes(term)))
      .sort((a, b) => rank(b) - rank(a))
      .slice(0, maxResults)
    list.replaceChildren(
      ...results.map((result, number) => createResult(result, number, () => open(false))),
      ...(results.length === 0 ? [create('li', { role: 'presentation', textContent: 'No results.' })] : []),
    )
    open(true)
    select(0)
  }
  input.addEventListener('input', update)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1)
    else if (event.key === 'ArrowUp') select(selected - 1)
    else if (event.key === 'Enter') list.querySelectorAll('[role=option]')[selected]?.click()
    else if (event.key === 'Escape') open(false)
    else return
    event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (!search.contains(event.target)) open(false)
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input:not([type=radio]), textarea, select') !== null
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  search.hidden = false
}

/** Marks the target of the URL in the navigation and opens the groups that contain it. */
function followTarget() {
  const target = document.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`)
  target?.closest('details')?.setAttribute('open', '')
  const id = target?.closest('article[id]')?.id ?? target?.id
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash !== `#${id}`) link.removeAttribute('aria-current')
    else {
      link.setAttribute('aria-current', 'true')
      link.closest('details')?.setAttribute('open', '')
      link.scrollIntoView({ block: 'nearest' })
    }
  }
  target?.scrollIntoView()
  const menu = document.querySelector('#menu:popover-open')
  menu?.hidePopover()
}

document.addEventListener('DOMContentLoaded', () => {
  addTabs()
  addForm()
  addSearch()
  fillExamples()
  if (location.hash !== '') followTarget()
  addEventListener('hashchange', followTarget)
  void findValues()
})
