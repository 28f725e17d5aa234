import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './fact-list.module.css';
/** Lists names with their values. Its children are facts. */
export function FactList({ children }) {
    return _jsx("dl", { className: classes.list, children: children });
}
/** A name with its value. Shows nothing if there is no value. */
export function Fact({ name, children }) {
    if (children === null || children === undefined || children === '' || children === false)
        return null;
    return (_jsxs(_Fragment, { children: [_jsx("dt", { children: name }), _jsx("dd", { children: children })] }));
}
