import { SaxesParser } from 'saxes'
import { InspectionError } from '../inspection.ts'
import { decodeXml } from '../xml-document.ts'
import { maxPlistDepth, maxPlistValues, type PlistValue } from './plist-value.ts'

const damaged = 'An XML property list is damaged.'

type Container = { items: PlistValue[] } | { entries: Map<string, PlistValue>; key: string | undefined }

/**
 * Returns the root value of an XML property list. Rejects documents that declare entities, because entities can expand
 * exponentially.
 */
export function readXmlPlist(bytes: Buffer): PlistValue {
  const parser = new SaxesParser({ position: false })
  const open: Container[] = []
  let text = ''
  let values = 0
  let root: PlistValue | undefined

  const add = (value: PlistValue) => {
    const container = open.at(-1)
    if (container === undefined) {
      root ??= value
    } else if ('items' in container) {
      container.items.push(value)
    } else {
      if (container.key === undefined) throw new InspectionError(damaged)
      container.entries.set(container.key, value)
      container.key = undefined
    }
  }

  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new InspectionError('An XML property list declares entities.')
  })
  parser.on('opentag', ({ name }) => {
    text = ''
    if (++values > maxPlistValues) throw new InspectionError('A property list has too many values.')
    if (open.length >= maxPlistDepth) throw new InspectionError('A property list is nested too deeply.')
    if (name === 'dict') open.push({ entries: new Map(), key: undefined })
    if (name === 'array') open.push({ items: [] })
  })
  parser.on('text', (found) => (text += found))
  parser.on('cdata', (found) => (text += found))
  parser.on('closetag', ({ name }) => {
    if (name === 'plist') return
    if (name === 'dict' || name === 'array') {
      const container = open.pop()
      if (container === undefined) throw new InspectionError(damaged)
      add('items' in container ? container.items : container.entries)
    } else if (name === 'key') {
      const container = open.at(-1)
      if (container === undefined || 'items' in container) throw new InspectionError(damaged)
      container.key = text
    } else {
      add(readScalar(name, text))
    }
  })
  try {
    parser.write(decodeXml(bytes)).close()
  } catch (error) {
    if (error instanceof InspectionError) throw error
    throw new InspectionError(damaged, { cause: error })
  }
  if (root === undefined) throw new InspectionError(damaged)
  return root
}

function readScalar(name: string, text: string): PlistValue {
  switch (name) {
    case 'string':
      return text
    case 'integer':
    case 'real':
      return Number(text)
    case 'true':
    case 'false':
      return name === 'true'
    case 'date':
      return new Date(text)
    case 'data':
      return Buffer.from(text, 'base64')
    default:
      throw new InspectionError(damaged)
  }
}
