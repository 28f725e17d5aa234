/** JSON that is sent as it is, such as JSON that PostgreSQL has created. */
export class Json<T> {
  declare readonly value: T
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A response, or a response some of whose fields are already JSON. */
export type WithJson<T> = T | { [Name in keyof T]: T[Name] | Json<T[Name]> }

/** Returns the JSON of a response. */
export function responseText(response: unknown): string {
  if (typeof response !== 'object' || response === null) return JSON.stringify(response)
  const fields = Object.entries(response)
  if (!fields.some(([, value]) => value instanceof Json)) return JSON.stringify(response)
  const texts = fields.map(([name, value]) => {
    const text = value instanceof Json ? value.text : JSON.stringify(value)
    return `${JSON.stringify(name)}:${text}`
  })
  return `{${texts.join(',')}}`
}
