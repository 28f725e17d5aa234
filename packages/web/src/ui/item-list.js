import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './item-list.module.css';
/** Lists resources, one per line on wide screens and as blocks on phones. */
export function ItemList({ label, children }) {
    return (_jsx("ul", { className: classes.list, "aria-label": label, children: children }));
}
/** A line of an `ItemList`. */
export function Item({ leading, title, detail, end, menu, isMuted = false, children }) {
    return (_jsxs("li", { className: classes.item, "data-muted": isMuted || undefined, children: [isShown(leading) && _jsx("div", { className: classes.leading, children: leading }), _jsxs("div", { className: classes.text, children: [_jsx("div", { className: classes.title, children: title }), isShown(detail) && _jsx("div", { className: classes.detail, children: detail })] }), isShown(end) && _jsx("div", { className: classes.end, children: end }), isShown(menu) && _jsx("div", { className: classes.menu, children: menu }), isShown(children) && _jsx("div", { className: classes.more, children: children })] }));
}
const isShown = (node) => node !== undefined && node !== null && node !== false;
