import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { IconCircleCheck, IconClockPause } from '@tabler/icons-react';
import classes from './domain-state.module.css';
/** Shows the custom domain of a portal, if it has one, and whether it is verified. */
export function DomainState({ portal: { custom_domain: domain, custom_domain_active: isActive }, }) {
    if (domain === null)
        return null;
    return (_jsxs("span", { className: classes.domain, children: [isActive ? (_jsx(IconCircleCheck, { size: 16, color: "var(--q-good)", "aria-hidden": true })) : (_jsx(IconClockPause, { size: 16, color: "var(--q-warn)", "aria-hidden": true })), _jsx("span", { className: classes.name, children: domain }), isActive ? 'verified' : 'not verified'] }));
}
