import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { Button, Group } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, useSession } from '../../api/session.ts';
import { callSignIn } from '../../api/sign-in.ts';
import { accountText } from '../../text/account.ts';
import { SettingsSection } from '../../ui/settings-section.tsx';
import { showDone } from '../../ui/toast.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import classes from './security.module.css';
import { TwoFactorDialog } from './two-factor-dialog.tsx';
/** Turns the second factor on and off. */
export function TwoFactorSettings() {
    const { two_factor_enabled: isEnabled } = useSession();
    const queryClient = useQueryClient();
    const [step, setStep] = useState();
    const close = () => setStep(undefined);
    const refresh = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    async function enable(password) {
        const { totpURI: uri, backupCodes: codes } = await callSignIn('/two-factor/enable', { password });
        setStep({ name: 'enroll', enrollment: { uri, codes } });
    }
    async function createCodes(password) {
        const { backupCodes: codes } = await callSignIn('/two-factor/generate-backup-codes', { password });
        setStep({ name: 'codes', codes });
    }
    async function disable(password) {
        await callSignIn('/two-factor/disable', { password });
        await refresh();
        close();
        showDone('Two-factor authentication turned off.');
    }
    return (_jsxs(SettingsSection, { title: "Two-factor authentication", description: accountText.twoFactor, action: isEnabled ? undefined : (_jsx(Button, { variant: "default", onClick: () => setStep({ name: 'enable' }), children: "Turn on" })), children: [isEnabled && (_jsxs(Group, { gap: "sm", children: [_jsxs("span", { className: classes.on, children: [_jsx(IconShieldCheck, { size: 18, "aria-hidden": true }), " On"] }), _jsx(Button, { variant: "default", onClick: () => setStep({ name: 'new-codes' }), children: "New recovery codes" }), _jsx(Button, { variant: "subtle", color: "red", onClick: () => setStep({ name: 'disable' }), children: "Turn off" })] })), step?.name === 'enable' && (_jsx(PasswordDialog, { title: "Turn on two-factor authentication", onConfirm: enable, onClose: close })), step?.name === 'enroll' && (_jsx(TwoFactorDialog, { ...step.enrollment, onClose: close, onDone: async () => {
                    setStep({ name: 'codes', codes: step.enrollment.codes });
                    await refresh();
                } })), step?.name === 'codes' && _jsx(RecoveryCodesDialog, { codes: step.codes, onClose: close }), step?.name === 'new-codes' && (_jsx(PasswordDialog, { title: "New recovery codes", onConfirm: createCodes, onClose: close, children: accountText.newCodes })), step?.name === 'disable' && (_jsx(PasswordDialog, { title: "Turn off two-factor authentication", confirmLabel: "Turn off", onConfirm: disable, onClose: close, children: accountText.disableTwoFactor }))] }));
}
