import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createClient } from '../../packages/sdk/src/client.ts'
import { findDemoIds } from '../demo/demo-ids.ts'
import { signIn } from '../demo/sign-in.ts'
import type { Screen } from './screens.ts'

export type Demo = { url: string; key: string; email: string; password: string }

type Look = { width: number; colorScheme: 'light' | 'dark' }

type Visitor = { page: Page; open(url: string): Promise<unknown> }

type Visits<V extends Visitor> = {
  browser: Browser
  observe: (page: Page) => V
  demo: Demo
  /** The set-up link of a service without an owner. */
  setupUrl: string
  screens: readonly Screen[]
}

/** Opens each screen of the demo workspace in a browser that looks like a computer or a phone. */
export async function visitScreens<V extends Visitor>(
  { browser, observe, demo, setupUrl, screens }: Visits<V>,
  { width, colorScheme }: Look,
  visit: (screen: Screen, visitor: V) => Promise<void>,
): Promise<void> {
  const ids = { ...(await findDemoIds(createClient({ baseUrl: demo.url, apiKey: demo.key }))), setupUrl }
  const options = { ...deviceOf(width), colorScheme }
  const context = await browser.newContext(options)
  await signIn(context, demo)
  for (const screen of screens) {
    const own = screen.isPublic === true ? await browser.newContext(options) : context
    const visitor = observe(await own.newPage())
    await visitor.open(new URL(screen.path(ids), demo.url).href)
    await visit(screen, visitor)
    await (screen.isPublic === true ? own.close() : visitor.page.close())
  }
  await context.close()
}

function deviceOf(width: number): BrowserContextOptions {
  const isPhone = width < 768
  return {
    viewport: { width, height: isPhone ? 844 : 900 },
    deviceScaleFactor: isPhone ? 2 : 1,
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'Europe/Lisbon',
  }
}
