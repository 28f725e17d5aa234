import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** The outlines of the screens when their pictures in docs/screens were taken, by name. */
export type Outlines = Record<string, string[]>

const file = new URL('../../../docs/screens/outlines.json', import.meta.url)

export const readOutlines = (): Outlines => JSON.parse(readFileSync(file, 'utf8')) as Outlines

export const writeOutlines = (outlines: Outlines): void =>
  writeFileSync(file, `${JSON.stringify(outlines, null, 2)}\n`)

const parts = 'h1,h2,h3,label,th,button,[role=columnheader],[role=tab],nav a'

/**
 * Returns the sorted names of the headings, fields, columns, tabs, buttons and navigation links of a screen. They change
 * when the screen does, but not with the time or with the size of numbers.
 */
export async function outlineOf(page: Page): Promise<string[]> {
  const names = await page.evaluate(
    (selector) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility())
        .map((element) => element.getAttribute('aria-label') ?? element.textContent),
    parts,
  )
  const texts = names.map((name) => name.replaceAll(/\s+/g, ' ').trim())
  return [...new Set(texts.filter((text) => text !== '' && !variable.test(text)))].toSorted()
}

/** Names with numbers, times and IDs differ between two demo workspaces. */
const variable = /\d|\bago\b|yesterday|today|tomorrow|\blast \w+day\b/i
