import { parseOr } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import { readItem } from './protobuf-xml.ts'
import { messageOf, messagesOf, numberOf } from './protobuf.ts'
import { limitLookups, type ResourceTable, type ResourceVariant } from './resources.ts'

/** Field numbers of messages in Resources.proto and Configuration.proto of aapt2. */
const table = { package: 2 }
const resourcePackage = { id: 1, type: 3 }
const resourceType = { id: 1, entry: 3 }
const entryFields = { id: 1, value: 6 }
const configValue = { configuration: 1, value: 2 }
const configurationFields = { locale: 3, density: 18 }
const valueItem = 4

const maxTypes = 20_000

/** Reads the index of a resources.pb file. Values are decoded when they are looked up. */
export function readProtobufResources(bytes: Buffer): ResourceTable {
  const reason = 'The resource table of the app bundle is damaged.'
  const types = parseOr(reason, () => readTypes(bytes))
  return limitLookups((id) =>
    parseOr(reason, () =>
      (types.get(id >>> 16) ?? []).flatMap((type) => {
        for (const entry of messagesOf(type, resourceType.entry))
          if (numberOf(messageOf(entry, entryFields.id), 1) === (id & 0xffff)) return readVariants(entry)
        return []
      }),
    ),
  )
}

function readTypes(bytes: Buffer): Map<number, Buffer[]> {
  const types = new Map<number, Buffer[]>()
  let count = 0
  for (const found of messagesOf(bytes, table.package)) {
    const packageId = numberOf(messageOf(found, resourcePackage.id), 1)
    for (const type of messagesOf(found, resourcePackage.type)) {
      if (++count > maxTypes) throw new InspectionError('The resource table of the app bundle is too large.')
      const key = packageId * 256 + numberOf(messageOf(type, resourceType.id), 1)
      const list = types.get(key)
      if (list === undefined) types.set(key, [type])
      else list.push(type)
    }
  }
  return types
}

function readVariants(entry: Buffer): ResourceVariant[] {
  const variants: ResourceVariant[] = []
  for (const found of messagesOf(entry, entryFields.value)) {
    const item = messageOf(messageOf(found, configValue.value), valueItem)
    const value = item === undefined ? undefined : readItem(item)
    if (value === undefined) continue
    const configuration = messageOf(found, configValue.configuration)
    variants.push({
      value,
      configuration: {
        hasLocale: messageOf(configuration, configurationFields.locale) !== undefined,
        density: numberOf(configuration, configurationFields.density),
      },
    })
  }
  return variants
}
