import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { alarm } from './hostile-payloads.ts'

/**
 * Requests a document and parses it in a blank page of the browser, which runs nothing in it. Asserts that the call of a payload is only
 * in text, in attributes that contain text, and in addresses of pages. Returns the text.
 */
export async function assertInert(blank: Page, url: string, where: string): Promise<string> {
  const response = await blank.request.get(url, { headers: { accept: 'text/html' } })
  const { active, text } = await blank.evaluate(parse, {
    html: await response.text(),
    url: response.url(),
    alarm,
  })
  assert.deepEqual(active, [], where)
  return text
}

/** Runs in the browser. */
function parse({ html, url, alarm: call }: { html: string; url: string; alarm: string }) {
  const texts = new Set('alt aria-label content placeholder title value'.split(' '))
  const addresses = new Set('action formaction href src'.split(' '))
  const isAddress = (value: string) => /^(https?|mailto):/.test(URL.parse(value, url)?.protocol ?? '')
  const elementsIn = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) =>
      element instanceof HTMLTemplateElement ? [element, ...elementsIn(element.content)] : [element],
    )
  const runs = (element: Element): boolean => {
    const isCode = element.matches('script:not([type="application/json"]), style')
    const attributes = [...element.attributes].filter(({ name, value }) => `${name}=${value}`.includes(call))
    return (
      (isCode && element.textContent.includes(call)) ||
      element.matches('[http-equiv=refresh], base ~ base') ||
      attributes.some(
        ({ name, value }) =>
          !texts.has(name) && !name.startsWith('data-') && !(addresses.has(name) && isAddress(value)),
      )
    )
  }
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const active = elementsIn(parsed)
    .filter(runs)
    .map(({ outerHTML }) => outerHTML.slice(0, 400))
  for (const element of parsed.querySelectorAll('script, style')) element.remove()
  return { active, text: parsed.body.textContent }
}
