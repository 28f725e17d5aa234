import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { failureOf } from '../api/errors.ts';
/** Confirms that something was done. */
export function showDone(message) {
    notifications.show({ message, color: 'teal', autoClose: 4000 });
}
/** Shows the server's sentence about a failure that belongs to no field. */
export function showFailure(error) {
    const { message, requestId } = failureOf(error);
    notifications.show({
        color: 'red',
        title: message,
        message: requestId === '' ? undefined : `Request ${requestId}`,
        autoClose: 12000,
    });
}
/** Confirms that something was done and offers to take it back, if that is possible. */
export function showUndo(message, undo) {
    if (undo === undefined)
        return showDone(message);
    const id = notifications.show({
        color: 'teal',
        autoClose: 8000,
        message: (_jsxs(Group, { justify: "space-between", wrap: "nowrap", children: [message, _jsx(Button, { size: "compact-xs", variant: "default", onClick: () => {
                        notifications.hide(id);
                        undo();
                    }, children: "Undo" })] })),
    });
}
