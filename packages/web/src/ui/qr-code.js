import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { encode } from 'uqr';
/** Draws a QR code. Phones read it in dark mode too, because it is always dark on white. */
export function QrCode({ text, size = 160, label }) {
    const { data, size: modules } = encode(text, { ecc: 'M', border: 2 });
    const path = data
        .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
        .join('');
    return (_jsxs("svg", { viewBox: `0 0 ${modules} ${modules}`, width: size, height: size, role: "img", "aria-label": label, shapeRendering: "crispEdges", children: [_jsx("rect", { width: modules, height: modules, rx: "1.5", fill: "#fff" }), _jsx("path", { d: path, fill: "#101418" })] }));
}
