import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { hasPasskeys } from '../../api/passkeys.ts';
import { signInErrorText, signInText } from '../../text/sign-in.ts';
import { Notice } from '../../ui/notice.tsx';
import { EmailLinkForm } from './email-link-form.tsx';
import { EmailLinkSignIn } from './email-link-sign-in.tsx';
import { OutsidePage } from './outside-page.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { signInMethodsQuery } from './sign-in.queries.ts';
import { SsoButton } from './sso-button.tsx';
const route = getRouteApi('/sign-in');
/** Offers the ways to sign in that the service has. */
export function SignInPage() {
    const { next, link, error } = route.useSearch();
    const { data: methods } = useQuery(signInMethodsQuery);
    if (link !== undefined)
        return _jsx(EmailLinkSignIn, { token: link });
    const notice = signInErrorText(error, methods?.sso?.name);
    const hasSso = methods !== undefined && methods.sso !== null;
    return (_jsx(OutsidePage, { title: "Sign in", description: next === undefined || notice !== undefined ? undefined : signInText.continue, footer: methods?.setup_open === true ? signInText.notSetUp : signInText.noAccount, children: _jsxs(Stack, { children: [notice !== undefined && _jsx(Notice, { ...notice }), _jsx(PasswordForm, { next: next, forgot: _jsx(Link, { to: "/forgot-password", children: "Forgot password?" }) }), (hasSso || hasPasskeys || methods?.email_link === true) && _jsx(Divider, { label: "or" }), _jsxs(Stack, { gap: "xs", children: [hasSso && _jsx(SsoButton, { name: methods.sso?.name ?? '', next: next }), hasPasskeys && _jsx(PasskeyButton, { next: next }), methods?.email_link === true && _jsx(EmailLinkForm, {})] })] }) }));
}
