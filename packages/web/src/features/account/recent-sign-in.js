import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group, Modal, Stack } from '@mantine/core';
import { QuaysideError } from '@quayside/sdk';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { signOut } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { showFailure } from '../../ui/toast.tsx';
/** Lets the person sign in again for a change that requires a recent sign-in. */
export function useRecentSignIn() {
    const [isAsking, setIsAsking] = useState(false);
    const navigate = useNavigate();
    const next = useLocation({ select: ({ href }) => href });
    async function signInAgain() {
        try {
            await signOut();
            await navigate({ to: '/sign-in', search: { next } });
        }
        catch (error) {
            showFailure(error);
        }
    }
    return {
        async withRecentSignIn(call) {
            try {
                await call();
            }
            catch (error) {
                if (error instanceof QuaysideError && error.code === 'session.not_fresh')
                    setIsAsking(true);
                throw error;
            }
        },
        dialog: isAsking ? (_jsx(Modal, { opened: true, onClose: () => setIsAsking(false), title: "Sign in again", children: _jsxs(Stack, { children: [_jsx("div", { children: accountText.signInAgain }), _jsxs(Group, { justify: "flex-end", gap: "xs", children: [_jsx(Button, { variant: "default", onClick: () => setIsAsking(false), children: "Cancel" }), _jsx(Button, { onClick: () => void signInAgain(), "data-autofocus": true, children: "Sign in again" })] })] }) })) : null,
    };
}
