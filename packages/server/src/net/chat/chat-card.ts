/** The content of a chat message. Each text is a single line and may contain markup, which the caller must escape. */
export type ChatCard = {
  /** The title of the event, such as `New build`. */
  title: string
  /** The application, version and build number, such as `Game 1.2.3 (45)`. */
  subject: string
  /** The URL of the build's page; undefined if there is none. */
  url: string | undefined
  facts: ChatFact[]
  notes: string | undefined
}

export type ChatFact = { name: string; value: string; url?: string }
