import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useState } from 'react';
import { basePath } from '../../api/client.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { consolePath } from './enter-console.ts';
/** Leads to the identity provider, which sends the person back to the console. */
export function SsoButton({ name, next }) {
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    async function signIn() {
        setIsRunning(true);
        setError(undefined);
        try {
            const callbackURL = basePath + consolePath(next);
            const { url } = await callSignIn('/sign-in/social', { callbackURL });
            window.location.assign(url);
        }
        catch (failure) {
            setError(failure);
            setIsRunning(false);
        }
    }
    return (_jsxs(_Fragment, { children: [_jsxs(Button, { variant: "default", fullWidth: true, leftSection: _jsx(IconBuilding, { size: 18 }), loading: isRunning, onClick: () => void signIn(), children: ["Continue with ", name] }), error !== undefined && _jsx(FailureBanner, { error: error })] }));
}
