import { escapeHtml } from '../../lib/html.ts'
import { replaceInvalidXml } from '../../lib/xml.ts'

/** A value of a property list. Keys that are undefined are left out. */
export type PlistInput =
  | string
  | number
  | readonly PlistInput[]
  | { readonly [key: string]: PlistInput | undefined }

const escapeXml = (text: string): string => escapeHtml(replaceInvalidXml(text, '\ufffd'))

/** Returns a property list in XML. */
export const writePlist = (value: PlistInput): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">${element(value)}</plist>
`)

function element(value: PlistInput): string {
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (Array.isArray(value)) return `<array>${(value as readonly PlistInput[]).map(element).join('')}</array>`
  const entries = Object.entries(value as Record<string, PlistInput | undefined>)
  return `<dict>${entries.map(([key, each]) => (each === undefined ? '' : `<key>${escapeXml(key)}</key>${element(each)}`)).join('')}</dict>`
}
