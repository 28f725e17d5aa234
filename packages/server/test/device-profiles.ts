import assert from 'node:assert/strict'
import { request } from 'undici'
import { textOf as plistText, type PlistDictionary } from '../src/inspection/apple/plist-value.ts'
import { readPlist } from '../src/inspection/apple/plist.ts'
import type { Service } from './harness.ts'
import { xmlPlist } from './inspection/apple-packages.ts'
import { iphone, localUrl } from './ios-builds.ts'
import { createBrowser, textOf } from './page-browser.ts'

/** Returns functions with which an iPhone registers: it loads the profile from a page and sends what the profile asks for. */
export function deviceCalls(service: Service, sign: (plist: string) => Buffer, udid: string) {
  const send = (url: string, body?: Buffer) =>
    request(localUrl(service, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/pkcs7-signature' },
      ...(body === undefined ? {} : { body }),
    })

  return {
    send,
    /** Opens the page of a link and loads the profile from it. */
    async loadProfile(url: string, headers: Record<string, string> = {}) {
      const browser = createBrowser(iphone)
      const page = await browser.open(`${url}/device`, headers)
      const [, profileUrl = assert.fail(textOf(page))] =
        /href="(https:[^"]+\.mobileconfig)"/.exec(page.text) ?? []
      const response = await send(profileUrl)
      const bytes = Buffer.from(await response.body.arrayBuffer())
      const profile = readPlist(bytes)
      const content = profile.get('PayloadContent') as PlistDictionary
      return {
        browser,
        page,
        response,
        bytes,
        profile,
        content,
        url: plistText(content, 'URL') ?? '',
        challenge: plistText(content, 'Challenge') ?? '',
      }
    },
    /** Returns what a device sends. */
    answer(challenge: string | undefined, fields: Record<string, string> = {}): Buffer {
      const all = { UDID: udid, PRODUCT: 'iPhone17,1', VERSION: '22F76', ...fields }
      const entries = Object.entries({ ...all, ...(challenge === undefined ? {} : { CHALLENGE: challenge }) })
      return sign(
        xmlPlist(
          `<dict>${entries.map(([key, value]) => `<key>${key}</key><string>${value}</string>`).join('')}</dict>`,
        ),
      )
    },
  }
}
