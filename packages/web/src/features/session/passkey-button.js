import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { isPasskeyCanceled, signInWithPasskey } from '../../api/passkeys.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { useEnterConsole } from './enter-console.ts';
/** Signs in with a passkey of this device, a phone or a security key. */
export function PasskeyButton({ next }) {
    const enter = useEnterConsole();
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    async function signIn() {
        setIsRunning(true);
        setError(undefined);
        try {
            await signInWithPasskey();
            enter(next);
        }
        catch (failure) {
            if (!isPasskeyCanceled(failure))
                setError(failure);
        }
        finally {
            setIsRunning(false);
        }
    }
    return (_jsxs(_Fragment, { children: [_jsx(Button, { variant: "default", fullWidth: true, leftSection: _jsx(IconFingerprint, { size: 18 }), loading: isRunning, onClick: () => void signIn(), children: "Sign in with a passkey" }), error !== undefined && _jsx(FailureBanner, { error: error })] }));
}
