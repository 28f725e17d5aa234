import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { NativeSelect } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import classes from './settings-layout.module.css';
import sideLink from './side-nav-link.module.css';
/** Shows one section of settings beside links to the others. On phones, a select replaces the links. */
export function SettingsLayout({ groups, active, linkTo, children }) {
    const navigate = useNavigate();
    return (_jsxs("div", { className: classes.layout, children: [_jsx("nav", { className: classes.nav, "aria-label": "Sections", children: groups.map(({ label, sections }) => (_jsxs("div", { children: [_jsx("div", { className: classes.group, children: label }), sections.map(({ id, label: name, icon }) => (_jsxs(Link, { ...linkTo(id), className: sideLink.link, activeProps: {}, "data-active": id === active || undefined, "aria-current": id === active ? 'page' : undefined, children: [_jsx("span", { className: sideLink.icon, children: icon }), _jsx("span", { className: sideLink.text, children: name })] }, id)))] }, label))) }), _jsx(NativeSelect, { className: classes.select, "aria-label": "Section", size: "md", value: active, onChange: (event) => void navigate(linkTo(event.currentTarget.value)), data: groups.map(({ label, sections }) => ({
                    group: label,
                    items: sections.map(({ id, label: name }) => ({ value: id, label: name })),
                })) }), _jsx("div", { className: classes.content, children: children })] }));
}
