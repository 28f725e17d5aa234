import { jsx as _jsx } from "react/jsx-runtime";
import classes from './state-badge.module.css';
/** Shows the state of a resource beside its title. */
export function StateBadge({ tone = 'neutral', children }) {
    return (_jsx("span", { className: classes.badge, "data-tone": tone, children: children }));
}
