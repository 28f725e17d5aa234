import Markdown from 'react-markdown'
import classes from './markdown.module.css'

/** Renders Markdown that people wrote. HTML in it is shown as text, and links other than http, https and mailto are removed. */
export function MarkdownText({ text }: { text: string }) {
  return (
    <div className={classes.text}>
      <Markdown
        components={{
          a: ({ href, children }) => (
            <a href={href} rel="noreferrer noopener nofollow" target="_blank">
              {children}
            </a>
          ),
          // An image of another site would tell that site who reads the notes.
          img: ({ src, alt }) => (
            <a
              href={typeof src === 'string' ? src : undefined}
              rel="noreferrer noopener nofollow"
              target="_blank"
            >
              {alt || 'Image'}
            </a>
          ),
        }}
      >
        {text}
      </Markdown>
    </div>
  )
}
