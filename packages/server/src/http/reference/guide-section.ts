/** A section of the introduction to the API reference. */
export type GuideSection = {
  title: string
  text: string[]
  code?: string
  /** The language of the code; `sh` by default. */
  language?: string
}
