import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Badge } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleXFilled, IconClock } from '@tabler/icons-react';
import { eventTitle, stateNames } from '../../text/webhooks.ts';
import { plural } from '../../ui/bytes.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './delivery-list.module.css';
import { durationText, outcomeText, subjectOf } from './delivery.ts';
/** A request in the list: its status, what it was about, and how the receiver responded. */
export function DeliveryRow({ request, isOpen, onOpen, checkbox }) {
    const { event, state, delivery_attempts: attempts, duration } = request;
    const isTest = request.request_payload.data['test'] === true;
    return (_jsxs("li", { className: classes.row, "data-open": isOpen || undefined, "data-request": request.id, children: [checkbox !== false && _jsx("span", { className: classes.check, children: checkbox }), _jsx(StateIcon, { state: state }), _jsxs("button", { type: "button", className: classes.open, "aria-current": isOpen || undefined, onClick: onOpen, children: [_jsx("span", { className: classes.title, children: subjectOf(request) ?? eventTitle(event) }), _jsx("span", { className: classes.soft, children: eventTitle(event) })] }), _jsxs("span", { className: classes.end, children: [_jsxs("span", { className: classes.badges, children: [isTest && (_jsx(Badge, { size: "xs", variant: "default", children: "Test" })), request.redelivery_of !== null && (_jsx(Badge, { size: "xs", variant: "default", children: "Again" })), _jsx(RelativeTime, { time: request.created_at, short: true })] }), _jsxs("span", { className: classes.outcome, "data-state": state, children: [outcomeText(request), attempts > 1
                                ? ` · ${plural(attempts, 'attempt')}`
                                : duration !== null && ` · ${durationText(duration)}`] })] })] }));
}
const icons = {
    delivered: { Icon: IconCircleCheckFilled, color: 'var(--q-good)' },
    waiting: { Icon: IconClock, color: 'var(--q-warn)' },
    failed: { Icon: IconCircleXFilled, color: 'var(--q-bad)' },
};
export function StateIcon({ state, size = 16 }) {
    const { Icon, color } = icons[state];
    return (_jsx(Icon, { size: size, color: color, role: "img", "aria-label": stateNames[state], className: classes.state }));
}
