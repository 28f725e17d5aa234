import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callSignIn } from '../../api/sign-in.ts';
import { signInText } from '../../text/sign-in.ts';
import { FailureBanner } from '../../ui/failure-banner.tsx';
import { useEnterConsole } from './enter-console.ts';
import { OutsidePage } from './outside-page.tsx';
/** Signs in with the link in an email. A click is required, because mail scanners open links and run scripts. */
export function EmailLinkSignIn({ token }) {
    const enter = useEnterConsole();
    const [isRunning, setIsRunning] = useState(false);
    const [error, setError] = useState();
    async function signIn() {
        setIsRunning(true);
        try {
            await callSignIn('/sign-in/link', { token });
            enter();
        }
        catch (failure) {
            setError(failure);
            setIsRunning(false);
        }
    }
    return (_jsx(OutsidePage, { title: "Sign in with your link", description: signInText.openLink, footer: _jsx(Link, { to: "/sign-in", children: "Sign in another way" }), children: _jsxs(Stack, { children: [error !== undefined && _jsx(FailureBanner, { error: error }), _jsx(Button, { fullWidth: true, loading: isRunning, onClick: () => void signIn(), autoFocus: true, children: "Sign in" })] }) }));
}
