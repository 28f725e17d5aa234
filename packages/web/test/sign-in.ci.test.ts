import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { startOwnService, type Service } from '../../server/test/harness.ts'
import { emailedLink } from '../../server/test/sign-in.ts'
import { startSmtpServer } from '../../server/test/smtp-server.ts'
import { totpCode } from '../../server/test/totp.ts'
import { launchChromium, withoutChromium } from './chromium.ts'

const password = 'correct horse battery'
const person = 'ben@example.com'

describe('sign-in in a browser', { skip: withoutChromium }, () => {
  let service: Service
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>
  let browser: Browser
  let owner: BrowserContext
  let page: Page
  let recoveryCodes: string[]
  const failures: string[] = []

  before(async () => {
    smtp = await startSmtpServer()
    service = await startOwnService({
      environment: { QUAYSIDE_BOOTSTRAP_KEY: '', QUAYSIDE_SMTP_URL: smtp.url },
    })
    browser = await launchChromium()
    owner = await browser.newContext()
    page = await openPage(await browser.newContext())
  })
  after(async () => {
    await browser?.close()
    await service?.close()
    await smtp?.close()
    assert.deepEqual(failures, [], 'uncaught errors in the browser')
  })

  async function openPage(context: BrowserContext): Promise<Page> {
    const opened = await context.newPage()
    opened.setDefaultTimeout(60_000)
    opened.on('pageerror', ({ message }) => failures.push(message))
    opened.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) failures.push(message.text())
    })
    return opened
  }

  /** Replaces the dialog of the browser for passkeys by an authenticator that confirms at once. */
  async function addAuthenticator(): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable', { enableUI: false })
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  async function enterPassword(on: Page): Promise<void> {
    await on.getByLabel('Email address', { exact: true }).fill(person)
    await on.getByLabel('Password', { exact: true }).fill(password)
    await on.keyboard.press('Enter')
  }

  async function enterRecoveryCode(on: Page): Promise<void> {
    await on.getByRole('button', { name: 'Use a recovery code' }).click()
    await on.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes.pop() ?? '')
    await on.keyboard.press('Enter')
  }

  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: 'Ben Okafor' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }

  test('leads from the set-up link to the first build with the keyboard alone', async () => {
    const setup = await openPage(owner)
    const { keyboard } = setup
    await setup.goto(`${service.url}/setup?token=qss_wrong`)
    await setup.getByRole('heading', { name: 'This set-up link is not valid' }).waitFor()
    const chooser = setup.waitForEvent('filechooser')
    await setup.addInitScript('window.showOpenFilePicker = undefined')
    await setup.goto(service.setupUrl ?? '')
    await setup.getByLabel('Workspace').and(setup.locator(':focus')).waitFor()
    for (const text of ['Acme Games', 'Ana Ruiz', 'ana@example.com', password, '']) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
    await keyboard.type('Aurora')
    await keyboard.press('Enter')
    const choose = setup.getByRole('button', { name: 'Choose files' })
    await choose.waitFor()
    await keyboard.press('Tab')
    await choose.and(setup.locator(':focus')).waitFor()
    await keyboard.press('Enter')
    const file = {
      name: 'aurora-1.2.0.apk',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('apk'),
    }
    await (await chooser).setFiles(file)
    await setup.getByRole('heading', { level: 1, name: 'Aurora has its first build' }).waitFor()
    await setup.getByRole('status').getByText('1.2.0').waitFor()
    await setup.getByRole('link', { name: 'Continue to the console' }).press('Enter')
    await setup.getByText('1.2.0').first().waitFor()
    await setup.close()
  })

  test('lets an invited person create an account with a passkey and a second factor', async () => {
    const invited = await owner.request.post(`${service.url}/api/v1/workspace/invitations`, {
      headers: { origin: service.url },
      data: { email: person, role: 'admin' },
    })
    assert.equal(invited.status(), 201, await invited.text())
    await page.goto((await emailedLink(smtp, person)).href)
    await page.getByText('Ana Ruiz invites you to the workspace Acme Games').waitFor()
    await page.getByLabel('Your name').fill('Ben Okafor')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Aurora' }).first().waitFor()

    await page.goto(`${service.url}/account?section=security`)
    await addAuthenticator()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Passkey added.').waitFor()

    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    const uri = await page.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href')
    await page.getByLabel('Authentication code').fill(totpCode(uri ?? ''))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    recoveryCodes = await codes.allTextContents()
    assert.equal(recoveryCodes.length, 10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
  })

  test('signs in with a passkey that the browser suggests', async () => {
    await signOut()
    await page.getByRole('link', { name: 'Aurora' }).first().waitFor()
  })

  test('returns to the requested page after the password and the second factor', async () => {
    const other = await openPage(await browser.newContext())
    await other.goto(`${service.url}/account?section=sessions`)
    await enterPassword(other)
    await enterRecoveryCode(other)
    await other.getByText('This session').waitFor()
    assert.equal(new URL(other.url()).search, '?section=sessions')
    await other.context().close()
  })

  test('does not lead to another site after the sign-in', async () => {
    for (const next of ['//evil.example/', String.raw`/\evil.example/`, 'https://evil.example/']) {
      await page.goto(`${service.url}/sign-in?next=${encodeURIComponent(next)}`)
      await page.waitForURL(`${service.url}/`)
    }
  })

  test('asks for a sign-in when the session has ended, and returns to the page', async () => {
    const other = await openPage(await browser.newContext())
    await other.goto(`${service.url}/account`)
    await enterPassword(other)
    await enterRecoveryCode(other)
    await other.getByText('User ID', { exact: true }).waitFor()
    await page.goto(`${service.url}/account?section=sessions`)
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('button', { name: 'End sessions' }).click()
    await page.getByText('All other sessions ended.').waitFor()
    // Pointing at the link would load its page, and the sign-in page could replace the link before the click.
    await other.getByRole('link', { name: 'Aurora' }).first().dispatchEvent('click')
    await other.getByText('Your session has ended.').waitFor()
    // The page that was open or the one of the link: a request of either can be the first to fail.
    const next = new URL(other.url()).searchParams.get('next') ?? ''
    assert.match(next, /^\/(account|applications\/\w+)$/)
    await enterPassword(other)
    await enterRecoveryCode(other)
    await other.waitForURL(service.url + next)
    await other.context().close()
  })

  test('hides the workspace in every tab after sign-out and keeps what was typed', async () => {
    const context = await browser.newContext()
    const [typing, reading] = [await openPage(context), await openPage(context)]
    await typing.goto(`${service.url}/account`)
    await enterPassword(typing)
    await enterRecoveryCode(typing)
    await typing.getByRole('textbox', { name: 'Name', exact: true }).fill('Ben Okafor the Second')
    await reading.goto(`${service.url}/settings`)
    await reading.getByRole('button', { name: 'Ben Okafor' }).click()
    const left = typing.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await reading.getByRole('menuitem', { name: 'Sign out' }).click()
    await left
    assert.equal(await typing.getByRole('textbox', { name: 'Name', exact: true }).isVisible(), false)
    await signInAgain(typing)
    assert.equal(
      await typing.getByRole('textbox', { name: 'Name', exact: true }).inputValue(),
      'Ben Okafor the Second',
    )

    await context.clearCookies()
    await typing.getByRole('button', { name: 'Save' }).click()
    const releaseResponse = await holdSessionResponse(typing)
    await signInAgain(typing)
    releaseResponse()
    assert.equal(
      await typing.getByRole('textbox', { name: 'Name', exact: true }).inputValue(),
      'Ben Okafor the Second',
    )
    await typing.getByRole('button', { name: 'Save' }).click()
    await typing.getByRole('button', { name: 'Ben Okafor the Second' }).waitFor()
    await context.close()

    /** Lets the page ask for its session, and holds the response that there is none until the returned function is called. */
    async function holdSessionResponse(on: Page): Promise<() => void> {
      await on.getByRole('alertdialog').waitFor()
      const [received, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hold = async (route: Route) => {
        const response = await route.fetch()
        assert.equal(response.status(), 401)
        received.resolve()
        await released.promise
        await route.fulfill({ response }).catch(() => {})
      }
      await on.route('**/api/v1/session', hold, { times: 1 })
      await on.evaluate(() => window.dispatchEvent(new Event('focus')))
      await received.promise
      return () => released.resolve()
    }

    async function signInAgain(on: Page): Promise<void> {
      const opened = on.waitForEvent('popup')
      await on.getByRole('alertdialog').getByRole('button', { name: 'Sign in' }).click()
      const popup = await opened
      const closed = popup.waitForEvent('close')
      await enterPassword(popup)
      await enterRecoveryCode(popup).catch((error: unknown) => {
        if (!popup.isClosed()) throw error
      })
      await closed
      await on.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    }
  })

  test('renews the session once an hour while the console is used', async () => {
    let renewals = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/get-session')) renewals++
    })
    const now = Date.now()
    await page.clock.setFixedTime(now)
    for (const name of ['Home', 'Settings', 'Home']) await page.getByRole('link', { name }).first().click()
    assert.equal(renewals, 0)
    await page.clock.setFixedTime(now + 61 * 60 * 1000)
    const renewed = page.waitForResponse((response) => response.url().endsWith('/get-session'))
    for (const name of ['Settings', 'Home']) await page.getByRole('link', { name }).first().click()
    assert.equal((await renewed).status(), 200)
    assert.equal(renewals, 1)
  })
})
