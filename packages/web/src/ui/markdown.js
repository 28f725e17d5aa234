import { jsx as _jsx } from "react/jsx-runtime";
import Markdown from 'react-markdown';
import classes from './markdown.module.css';
/** Renders Markdown that people wrote. HTML in it is shown as text, and links other than http, https and mailto are removed. */
export function MarkdownText({ text }) {
    return (_jsx("div", { className: classes.text, children: _jsx(Markdown, { components: {
                a: ({ href, children }) => (_jsx("a", { href: href, rel: "noreferrer noopener nofollow", target: "_blank", children: children })),
                // An image of another site would tell that site who reads the notes.
                img: ({ src, alt }) => (_jsx("a", { href: typeof src === 'string' ? src : undefined, rel: "noreferrer noopener nofollow", target: "_blank", children: alt || 'Image' })),
            }, children: text }) }));
}
