import { parseOrNull } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import type { ResourceValue } from './xml-element.ts'

/** The device configuration to which a value of a resource applies. */
export type ResourceConfiguration = { hasLocale: boolean; density: number }

export type ResourceVariant = { configuration: ResourceConfiguration; value: ResourceValue }

export interface ResourceTable {
  /** Returns the values of a resource in all configurations. Throws `InspectionError` if the table is damaged. */
  variantsOf(id: number): ResourceVariant[]
}

/** Inspection needs fewer than 100 lookups, each of which reads the values of all configurations. */
const maxLookups = 500

/** Returns a table that limits the number of lookups. */
export function limitLookups(variantsOf: ResourceTable['variantsOf']): ResourceTable {
  let lookups = 0
  return {
    variantsOf(id) {
      if (++lookups > maxLookups) throw new InspectionError('The resource table is too complex.')
      return variantsOf(id)
    },
  }
}

/** Aliases are chains of a few references. The limit also ends circular references. */
const maxReferences = 8

/** Resolves references and returns the text in the default language, or null. */
export function resolveText(value: ResourceValue | undefined, table: ResourceTable | null): string | null {
  const resolved = resolve(value, table)
  if (resolved?.kind === 'text') return resolved.text
  return resolved?.kind === 'integer' ? String(resolved.value) : null
}

export function resolveInteger(value: ResourceValue | undefined, table: ResourceTable | null): number | null {
  const resolved = resolve(value, table)
  if (resolved?.kind === 'integer') return resolved.value
  // Some tools write numbers as text. Other text, such as "Baklava", is the name of a preview version of Android.
  return resolved?.kind === 'text' && /^\d{1,10}$/.test(resolved.text) ? Number(resolved.text) : null
}

export function resolveBoolean(value: ResourceValue | undefined, table: ResourceTable | null): boolean {
  const resolved = resolve(value, table)
  return resolved?.kind === 'boolean' ? resolved.value : resolved?.kind === 'text' && resolved.text === 'true'
}

function resolve(value: ResourceValue | undefined, table: ResourceTable | null): ResourceValue | undefined {
  let current = value
  for (let step = 0; step < maxReferences && current?.kind === 'reference'; step++) {
    const variants = listVariants(current.id, table)
    current = (variants.find(({ configuration }) => !configuration.hasLocale) ?? variants[0])?.value
  }
  return current?.kind === 'reference' ? undefined : current
}

/** Lists the values of a resource. Returns none if the table is damaged, because the manifest is useful without it. */
function listVariants(id: number, table: ResourceTable | null): ResourceVariant[] {
  return table === null ? [] : (parseOrNull(() => table.variantsOf(id)) ?? [])
}

/** Resolves references and lists the paths of files in all configurations, highest density first. */
export function listFiles(value: ResourceValue | undefined, table: ResourceTable | null): string[] {
  const files: { path: string; density: number }[] = []
  const seen = new Set<number>()
  const open = value === undefined ? [] : [{ value, density: 0 }]
  for (let found = open.pop(); found !== undefined; found = open.pop()) {
    const { value: current, density } = found
    if (current.kind === 'text') files.push({ path: current.text, density })
    if (current.kind !== 'reference' || seen.has(current.id) || seen.size >= maxReferences) continue
    seen.add(current.id)
    for (const variant of listVariants(current.id, table))
      open.push({ value: variant.value, density: variant.configuration.density })
  }
  // 0xfffe (any density) and 0xffff (no density) are used for vector graphics and adaptive icons.
  const rank = (density: number) => (density >= 0xfffe ? 0 : density)
  return [...new Set(files.toSorted((a, b) => rank(b.density) - rank(a.density)).map(({ path }) => path))]
}
