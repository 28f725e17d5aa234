import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import classes from './logo.module.css';
export function Logo({ withName = true }) {
    return (_jsxs("span", { className: classes.logo, children: [_jsxs("svg", { viewBox: "0 0 32 32", width: "24", height: "24", "aria-hidden": withName, role: withName ? undefined : 'img', children: [!withName && _jsx("title", { children: "Quayside" }), _jsx("rect", { width: "32", height: "32", rx: "8", fill: "#0b6bcb" }), _jsx("path", { d: "M7 20.500h18", stroke: "#fff", strokeWidth: "2.6", strokeLinecap: "round" }), _jsx("path", { d: "M10 16.500v-6.200h5.200v6.200zm6.800 0v-4h5.200v4z", fill: "#fff" }), _jsx("path", { d: "M7 25c1.500-1.200 3-1.200 4.500 0s3 1.200 4.500 0 3-1.200 4.500 0 3 1.200 4.500 0", fill: "none", stroke: "#fff", strokeWidth: "1.8", strokeLinecap: "round", opacity: ".75" })] }), withName && _jsx("span", { className: classes.name, children: "Quayside" })] }));
}
