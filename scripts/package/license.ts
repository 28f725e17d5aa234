import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The fields of a package.json that name the license. npm replaced the older forms with an SPDX expression in 2014. */
type Manifest = {
  license?: string | OldLicense
  licenses?: OldLicense | string | (OldLicense | string)[]
}
type OldLicense = { type?: string }

export type License = {
  /** The SPDX expression. */
  name: string
  /** The content of the license files; empty if there are none. */
  text: string
}

const licenseFile = /^(?:licen[cs]e|copying)(?:-[\w.]+)?(?:\.(?:md|markdown|txt|mit|bsd))?$/i

/** The length of a text that contains only one of these licenses. */
const maxTextLength = 2500

/** A phrase of each license that package.json files without a license usually have, without line breaks. */
const phrases: [name: string, phrase: RegExp][] = [
  ['MIT', /Permission is hereby granted, free of charge, .* The above copyright notice and this permission/i],
  ['ISC', /Permission to use, copy, modify, and(?:\/or)? distribute .* provided that the above copyright/i],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms(?!.*(?:endorse|advertising))/i],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms(?!.*advertising).*endorse/i],
]

/**
 * Returns the license of the npm package in `folder`: what its package.json names, in the current form or an older one,
 * or else the license that its license file contains. Throws if neither is known.
 */
export function readLicense(folder: string): License {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const text = readdirSync(folder)
    .filter((name) => licenseFile.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n')
  const name = namedLicense(manifest) ?? recognizeLicense(text)
  if (name === undefined) throw new Error(`${folder} names no license`)
  return { name, text }
}

function namedLicense({ license, licenses }: Manifest): string | undefined {
  const names = [license ?? licenses ?? []].flat().map((one) => (typeof one === 'string' ? one : one.type))
  const known = names.filter((name) => name !== undefined && !/^(?:SEE LICENSE IN .*)?$/i.test(name))
  // The package.json of old packages lists licenses of which users choose one.
  return known.length > 1 ? `(${known.join(' OR ')})` : known[0]
}

/** Returns undefined for a text with several licenses, because package.json has to name how they apply. */
function recognizeLicense(text: string): string | undefined {
  if (text.length > maxTextLength) return undefined
  const line = text.replaceAll(/\s+/g, ' ')
  const [found, ...others] = phrases.filter(([, phrase]) => phrase.test(line))
  return others.length > 0 ? undefined : found?.[0]
}
