import { bodyExample, type ExampleRequest, type Schema } from './reference-example.ts'

type SdkRequest = ExampleRequest & { operationId: string; requiredQuery: string[]; isStream: boolean }

const maxLineLength = 50

/** Returns a call of the TypeScript SDK with the path parameters, the required query parameters and the body. */
export function sdkExample(
  { operationId, path, body, requiredQuery, isStream }: SdkRequest,
  resolve: (schema: Schema) => Schema,
): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = {
    ...Object.fromEntries([...names, ...requiredQuery].map((name) => [name, `<${name}>`])),
    ...(body === undefined ? {} : { body: bodyExample(resolve(body), resolve) }),
  }
  const call = `client.${operationId}(${Object.keys(parameters).length === 0 && !isStream ? '' : literal(parameters)})`
  return isStream
    ? `for await (const { event, data } of ${call}) {\n  console.log(event, data)\n}`
    : `const response = await ${call}`
}

/** Formats a JSON value as TypeScript source. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const inner = `${indent}  `
  const write = (depth: string): string[] =>
    isList
      ? value.map((item) => literal(item, depth))
      : Object.entries(value).map(([name, item]) => `${propertyName(name)}: ${literal(item, depth)}`)
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const oneLine = `${open}${write(indent).join(', ')}${close}`
  if (oneLine === '{  }') return '{}'
  if (oneLine.length <= maxLineLength - indent.length && !oneLine.includes('\n')) return oneLine
  const lines = write(inner).map((line) => `${inner}${line},`)
  return [open.trim(), ...lines, `${indent}${close.trim()}`].join('\n')
}

const propertyName = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : literal(name))
