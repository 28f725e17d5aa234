import { useMemo } from 'react'
import classes from './markdown.module.css'
import { renderMarkdown } from './render-markdown.ts'

/** Shows Markdown that people wrote as visitors see it. */
export function MarkdownText({ text }: { text: string }) {
  const html = useMemo(() => ({ __html: renderMarkdown(text) }), [text])
  // oxlint-disable-next-line react/no-danger -- The renderer escapes HTML and removes other links than HTTP and HTTPS.
  return <div className={classes.text} dangerouslySetInnerHTML={html} />
}
