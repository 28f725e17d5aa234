import { jsx as _jsx } from "react/jsx-runtime";
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
/** A field for a password that can be shown. Says when Caps Lock is on. */
export function PasswordField({ description, ...props }) {
    const [isCapsLockOn, setIsCapsLockOn] = useState(false);
    const readCapsLock = (event) => setIsCapsLockOn(event.getModifierState('CapsLock'));
    return (_jsx(PasswordInput, { ...props, inputWrapperOrder: ['label', 'input', 'description', 'error'], description: isCapsLockOn ? 'Caps Lock is on.' : description, descriptionProps: { 'aria-live': 'polite', ...(isCapsLockOn ? { c: 'var(--q-warn)' } : {}) }, onKeyDown: readCapsLock, onKeyUp: readCapsLock, onBlur: (event) => {
            setIsCapsLockOn(false);
            props.onBlur?.(event);
        }, visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } }));
}
