/** A page that visitors without an account see, in one of its states. */
export type VisitorPage = {
  /** The name of the files in docs/screens/visitors. */
  name: string
  /** The path, or an action after which the browser shows the page. */
  path: string
  /** The browser of the visitor, also in wide pictures; otherwise a computer in wide and an Android phone in narrow ones. */
  userAgent?: string
  headers?: Record<string, string>
  cookie?: { name: string; value: string }
  /** Whether the server has no HTTPS. */
  isPlainHttp?: boolean
  /** What the visitor enters by the ID of the field, before pressing the button of the form with this action. */
  entered?: { fields: Record<string, string>; action: string }
  /** Whether the page is among the largest, whose loading time `bench/b18-visitor-pages.ts` measures. */
  isMeasured?: boolean
}
